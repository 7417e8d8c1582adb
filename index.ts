/** All public interfaces at once; import from `acs-kit/<folder>` to load only what you need. */
export * as conformance from './conformance/index.ts'
export * as generators from './generators/index.ts'
export * as mock from './mock-server/index.ts'
export * as reports from './reports/index.ts'
export * as spec from './spec/index.ts'
