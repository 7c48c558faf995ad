import { resolve } from 'node:path'
import { createSignInAddress, SIGN_IN_CODE_MINUTES } from '@salus/accounts/console'
import { StartupError } from '@salus/kernel/errors'
import { systemClock } from '@salus/kernel/time/clock'
import { readConfig } from '../config.ts'
import { runOnDatabase } from './reach-database.ts'
import { recordCommand } from './record-command.ts'
import { serverUrlOf } from './server-url.ts'

/**
 * Prints a URL that signs in to the console once, for operators who may read the data directory or
 * have DATABASE_URL; the server may run meanwhile.
 */

const [dataDirectory, givenUrl] = process.argv.slice(2)
const config = readConfig()
if (dataDirectory !== undefined) config.dataDirectory = resolve(dataDirectory)

await runOnDatabase(config, async ({ db, pool }) => {
  await recordCommand({ db, pool }, config, 'salus console')
  const url = await createSignInAddress({ db, clock: systemClock }, givenUrl || serverUrlOf(config))
  if (url === undefined) {
    throw new StartupError(
      'There is no management key to sign in with. Run "salus user invite" or "salus key recover".',
    )
  }
  console.error(
    `This URL signs in to the console, once, in the next ${SIGN_IN_CODE_MINUTES} minutes:`,
  )
  console.log(url)
})
