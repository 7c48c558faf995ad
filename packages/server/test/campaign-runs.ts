/**
 * How many cases a test tries: few in `npm test`, and what finds the rare ones in `npm run
 * test:long`, which runs each file that says so once more.
 */
export function campaignRuns<Runs>(few: Runs, many: Runs): Runs {
  return process.env.SALUS_TEST_LONG === undefined ? few : many
}
