/** The entry point `acs-kit/vitest`: the suite as tests, and the mock with a world for each test. */
export { type ConformanceOptions, conformance, type FetchHandler } from './conformance/vitest.ts'
export { type AcsTestOptions, acsTest } from './mock-server/skins/vitest.ts'
