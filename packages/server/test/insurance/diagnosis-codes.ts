import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Db } from '@salus/kernel/postgres/database'
import { FREQUENT_CODES } from '../../../lab/src/insurance/diagnoses/frequent-codes.registry.ts'
import * as repository from '../../../lab/src/insurance/diagnoses/loading/diagnosis-loading.global.repository.ts'
import { readOrderFile } from '../../../lab/src/insurance/diagnoses/loading/read-order-file.ts'
import { toCodeRows } from '../../../lab/src/insurance/diagnoses/loading/to-code-rows.ts'

const ORDER_FILE = new URL(
  '../../../lab/data/icd10cm/icd10cm-order-2021-01.txt.gz',
  import.meta.url,
)

/** Text of the order file that is shipped. */
export const readShippedOrderFile = (): string =>
  gunzipSync(readFileSync(ORDER_FILE)).toString('latin1')

/** An order file of these lines: code, whether valid for claims, and description. */
export function makeOrderFile(
  lines: readonly (readonly [code: string, isBillable: boolean, description: string])[],
): string {
  const texts = lines.map(([code, isBillable, description], index) => {
    const head = `${String(index + 1).padStart(5, '0')} ${code.padEnd(7)} ${isBillable ? 1 : 0}`
    return `${head} ${description.slice(0, 60).padEnd(60)} ${description}`
  })
  return `${texts.join('\r\n')}\r\n`
}

/**
 * The codes that orders mostly carry and their headings. Cloning a database with all codes would
 * take each test file a tenth of a second; what needs them calls loadStartingDiagnosisCodes.
 */
export async function loadFrequentDiagnosisCodes(db: Db): Promise<void> {
  const { lines } = await readOrderFile(readShippedOrderFile())
  const common = FREQUENT_CODES.map(([code]) => code)
  const wanted = lines.filter(({ code }) => common.some((it) => it.startsWith(code)))
  await repository.replaceCodes(db, await toCodeRows(wanted, []))
  // Another set than the shipped one, which can be loaded over it.
  await repository.storeLoad(db, 'starting', Buffer.alloc(0), new Date())
}
