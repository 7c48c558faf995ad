export type GlucoseUnit = 'mg/dL' | 'mmol/L'

/** Columns by the beginning of their name; units follow in brackets. */
const COLUMNS = {
  time: 'timestamp',
  type: 'event type',
  subtype: 'event subtype',
  info: 'patient info',
  device: 'source device id',
  glucose: 'glucose value',
  insulin: 'insulin value',
  carbs: 'carb value',
  duration: 'duration',
  transmitterTime: 'transmitter time',
  transmitter: 'transmitter id',
} as const
export type ClarityColumn = keyof typeof COLUMNS

/** Positions of columns; -1 where the file has none. */
export type ClarityColumns = Readonly<Record<ClarityColumn, number>>

/** Returns the columns of a head row; undefined for other rows. */
export function columnsOf(head: readonly string[]): ClarityColumns | undefined {
  const names = head.map((name) => name.toLowerCase().split('(')[0]?.trim())
  const positions = Object.entries(COLUMNS).map(([column, name]) => [column, names.indexOf(name)])
  const columns = Object.fromEntries(positions) as ClarityColumns
  const { time, type, subtype, glucose } = columns
  return [time, type, subtype, glucose].every((index) => index >= 0) ? columns : undefined
}
