import type { Order } from './laboratory.ts'

/** A value as the laboratory reports it: one OBX, with its comment. */
export interface SentValue {
  code: string
  name: string
  /** `LN` for a LOINC code, `L` for one of the laboratory. */
  system?: string
  type?: 'NM' | 'ST' | 'SN' | 'CE' | 'ED' | 'TX'
  subId?: string
  value: string
  unit?: string
  range?: string
  flag?: string
  status?: string
  comment?: string
  /** OBX-14 */
  observedAt?: string
}

/** A test with its values: ORC, OBR and OBX. */
export interface SentTest {
  code: string
  name: string
  filler: string
  /** OBR-25; F by default. */
  status?: string
  /** OBR-7 */
  drawnAt?: string
  /** OBR-15 */
  specimen?: string
  /** OBR-26 and OBR-29 of a test that another result led to. */
  reflex?: { result: string; parent: string }
  values: SentValue[]
}

interface Header {
  controlId: string
  processingId?: string
  /** MSH-7 and OBR-22, with which the laboratory orders its reports. */
  at?: string
  /** The number by which the laboratory names the order; that of the order by default. */
  placer?: string
}

/** Writes a result message of an order (ORU^R01) as a laboratory of version 2.3 does. */
export function writeResult(
  order: Pick<Order, 'placer' | 'segments'>,
  { controlId, processingId = 'T', at = '20260301120000', placer = order.placer }: Header,
  tests: readonly SentTest[],
): string {
  const pid = order.segments.find(([name]) => name === 'PID') ?? []
  const lines = [
    `MSH|^~\\&|LAB|NORTH|SALUS||${at}||ORU^R01|${controlId}|${processingId}|2.3`,
    pid.join('|'),
    ...tests.flatMap((test, index) => writeTest(test, { index, placer, at })),
  ]
  return lines.join('\r')
}

function writeTest(
  {
    code,
    name,
    filler,
    status = 'F',
    drawnAt = '202603010800',
    specimen = '',
    reflex,
    values,
  }: SentTest,
  { index, placer, at }: { index: number; placer: string; at: string },
): string[] {
  const number = reflex === undefined ? placer : ''
  const obr: Record<number, string> = {
    1: String(index + 1),
    2: number,
    3: filler,
    4: `${code}^${name}^L`,
    7: drawnAt,
    11: reflex === undefined ? '' : 'G',
    15: specimen,
    22: at,
    24: 'CH',
    25: status,
    26: reflex?.result ?? '',
    29: reflex?.parent ?? '',
  }
  const fields = Array.from({ length: 29 }, (_, field) => obr[field + 1] ?? '')
  return [
    `ORC|RE|${number}|${filler}`,
    `OBR|${fields.join('|')}`,
    ...values.flatMap((value, at) => writeValue(value, at + 1, status)),
  ]
}

function writeValue(sent: SentValue, setId: number, statusOfTest: string): string[] {
  const { code, name, system = 'L', type = 'NM', subId = '', value, comment } = sent
  const { unit = '', range = '', flag = '', status = statusOfTest } = sent
  const coded = `${code}^${name}^${system}`
  const timed = sent.observedAt === undefined ? '' : `|||${sent.observedAt}`
  return [
    `OBX|${setId}|${type}|${coded}|${subId}|${value}|${unit}|${range}|${flag}|||${status}${timed}`,
    ...(comment === undefined ? [] : [`NTE|1|L|${comment}`]),
  ]
}
