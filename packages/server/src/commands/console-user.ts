import { resolve } from 'node:path'
import { inviteAsOperator, resetSecondFactorAsOperator } from '@salus/accounts/console'
import { StartupError } from '@salus/kernel/errors'
import { systemClock } from '@salus/kernel/time/clock'
import { readConfig } from '../config.ts'
import { runOnDatabase } from './reach-database.ts'
import { recordCommand } from './record-command.ts'
import { serverUrlOf } from './server-url.ts'

/**
 * Runs "salus user invite" and "salus user reset-second-factor" on the database itself, for
 * operators who cannot sign in any more; the server may run meanwhile.
 */

const [dataDirectory, action, email = '', givenUrl] = process.argv.slice(2)
const config = readConfig()
if (dataDirectory !== undefined) config.dataDirectory = resolve(dataDirectory)

await runOnDatabase(config, async ({ db, pool }) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new StartupError('Give an e-mail address.')
  await recordCommand({ db, pool }, config, `salus user ${action}`)
  if (action === 'invite') {
    const serverUrl = givenUrl || serverUrlOf(config)
    const { url } = await inviteAsOperator({ db, clock: systemClock }, email, serverUrl)
    console.error('This URL sets a password, once, in the next seven days:')
    console.log(url)
  } else {
    await resetSecondFactorAsOperator(db, email)
    console.log('Authenticator app, recovery codes and passkeys are removed; sessions have ended.')
  }
})
