/** The door of reports/: one report, many renderings. */
export type { Report } from './report.ts'
