/** Starts the server that renders; it reaches the mock of the tests at a port that both know. */
import { defineConfig } from '@playwright/test'
import type { AcsOptions, AcsWorkerOptions } from 'acs-kit/playwright'

const [appPort, mockPort] = [Number(process.env.APP_PORT ?? 4100), Number(process.env.MOCK_PORT ?? 4010)]

export default defineConfig<AcsOptions, AcsWorkerOptions>({
  // One worker, as there is one server: each test still has a world of its own.
  workers: 1,
  reporter: 'line',
  use: {
    acsPort: mockPort,
    baseURL: `http://127.0.0.1:${appPort}`,
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
  },
  webServer: {
    command: 'node server.mjs',
    env: { ACS_URL: `http://127.0.0.1:${mockPort}`, PORT: String(appPort) },
    port: appPort,
  },
})
