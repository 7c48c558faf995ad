import { resolve } from 'node:path'
import { openSecretBox } from '@salus/kernel/crypto/secret-key'
import { StartupError } from '@salus/kernel/errors'
import { readConfig } from '../config.ts'
import { resealSecrets } from '../reseal-secrets.ts'
import { runOnDatabase } from './reach-database.ts'
import { recordCommand } from './record-command.ts'

/**
 * Runs "salus secrets rotate" on the database itself; the server may run meanwhile, with both keys.
 */

const [dataDirectory = ''] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

await runOnDatabase(config, async ({ db, pool }) => {
  const { secretKeys = [] } = config
  if (secretKeys.length < 2) {
    throw new StartupError(
      'Set SALUS_SECRET_KEY to the new key and the former one, separated by a comma, here and for every server.',
    )
  }
  const secrets = await openSecretBox(pool, secretKeys, config.dataDirectory)
  await recordCommand({ db, pool }, config, 'salus secrets rotate')
  const resealed = await resealSecrets(db, secrets)
  console.log(`Secrets sealed with the new key: ${resealed.toLocaleString('en')}.`)
  console.log(
    'Remove the former key from SALUS_SECRET_KEY after an hour: until then link tokens need it.',
  )
})
