/** Serves the built chat; the mock answers in the place of the service that the chat calls. */
import { defineConfig } from '@playwright/test'
import type { AcsOptions } from 'acs-kit/playwright'

export default defineConfig<AcsOptions>({
  fullyParallel: true,
  workers: 2,
  reporter: 'line',
  use: {
    acsOrigin: 'http://api.acs.example',
    baseURL: process.env.APP_URL,
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
  },
})
