import assert from 'node:assert/strict'
import { StartupError } from '@salus/kernel/errors'
import { createLogger } from '@salus/kernel/log'
import { readConfig } from '../src/config.ts'
import type { Closers } from '../src/shutdown.ts'
import { openStores } from '../src/stores.ts'

const PATIENCE = { requestsMs: 0, totalMs: 10_000 }

/**
 * Opens the stores as a start of the server does, in this process. A process prints the message of
 * such an error in one line and ends with 1, which `faults.system.test.ts` proves.
 * @returns the message with which they are refused
 */
export async function readRefusal(
  dataDirectory: string,
  settings: Record<string, string>,
): Promise<string> {
  const closers: Closers = []
  const options = { log: createLogger('silent'), closers, checkpoint() {}, onStoreLost() {} }
  const config = readConfig({ SALUS_DATA_DIR: dataDirectory, ...settings })
  try {
    await openStores({ ...options, config })
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error))
    return error.message
  } finally {
    for (const { close } of closers.toReversed()) await close(PATIENCE)
  }
  return assert.fail('The stores were opened.')
}
