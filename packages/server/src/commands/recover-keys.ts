import { resolve } from 'node:path'
import { deleteEverySession } from '@salus/accounts/console'
import { type FirstKeys, recoverKeys } from '@salus/accounts/teams'
import { systemClock } from '@salus/kernel/time/clock'
import { readConfig } from '../config.ts'
import { keysFile, writeKeysFile } from '../keys-file.ts'
import { runOnDatabase } from './reach-database.ts'
import { recordCommand } from './record-command.ts'

/**
 * Creates new first keys when keys.json is lost, for operators who may read the data directory or
 * have DATABASE_URL; the server may run meanwhile.
 */

const [dataDirectory] = process.argv.slice(2)
const config = readConfig()
if (dataDirectory !== undefined) config.dataDirectory = resolve(dataDirectory)

await runOnDatabase(config, async ({ db, pool }) => {
  await recordCommand({ db, pool }, config, 'salus key recover')
  const keepKeys = (made: Partial<FirstKeys>) => writeKeysFile(config.dataDirectory, made)
  const keys = await recoverKeys({ db, clock: systemClock, keepKeys })
  // Someone who found the lost keys may be signed in with them.
  await deleteEverySession(db)
  console.log(`New keys of organization ${keys.organizationId}:`)
  if (keys.apiKey) console.log(`Sandbox API key  ${keys.apiKey}`)
  console.log(`Management key   ${keys.managementKey}`)
  console.log(`They are stored in ${keysFile(config.dataDirectory)}. Earlier keys still work:`)
  console.log('revoke the lost ones ("salus key list", "salus key delete").')
  console.log('All sessions of the console have ended.')
})
