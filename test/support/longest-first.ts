/**
 * Runs long test files first: left for the end, one of them would run alone.
 * Vitest knows how long a file took only where it ran before; on a fresh clone it goes by size.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than ten seconds; most of it is waiting. */
const longest = [
  'test/reports/report-page.test.ts',
  'test/reports/ci-recipe.test.ts',
  'test/false-alarms/false-alarms.test.ts',
  'test/network/nginx.test.ts',
  'test/real-service.test.ts',
  'test/proof/matrix.test.ts',
  'test/exit-codes/certificate-commands.test.ts',
  'test/interference/interference.test.ts',
  'test/certificates.test.ts',
  'test/package.test.ts',
  'test/static-threads.test.ts',
  'test/type-check.test.ts',
  'test/watch-rolling.test.ts',
  'test/skins/examples.test.ts',
  'test/resume.test.ts',
  'test/reenact.test.ts',
  'test/inspector/inspector-page.test.ts',
  'test/docs/mock-page.test.ts',
  'test/exit-codes/settings-on-atrium.test.ts',
  'test/servers/cedar.test.ts',
  'test/judge-parts.test.ts',
  'test/exit-codes/contradicted-settings.test.ts',
  'test/skins/same-bytes.test.ts',
]

/** Those that take long come first; the unit tests are a group of their own, which follows. */
const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
  return at >= 0 ? at : longest.length
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
