import type { HealthConnectDatabase } from './health-connect-database.ts'

export type EnergyUnit = 'kcal' | 'kJ' | 'cal' | 'J'

/** Kilocalories of a day: of all energy, and of that of activity. */
const TOTAL_OF_A_DAY = [500, 10_000] as const
const ACTIVE_OF_A_DAY = [10, 10_000] as const
const DIVISORS = { cal: 1000, J: 4184 } as const
/** Rows that say enough about a file. */
const MOST_ROWS = 200_000

/**
 * Returns the unit of the energies of a file. The database does not name it, and readers disagree:
 * the small calories of Android, or joules. So it is the one in which the middle one of the days
 * has a possible sum; undefined where neither does.
 */
export function energyUnitOf(database: HealthConnectDatabase): 'cal' | 'J' | undefined {
  for (const [table, [least, most]] of [
    ['total_calories_burned_record_table', TOTAL_OF_A_DAY],
    ['active_calories_burned_record_table', ACTIVE_OF_A_DAY],
  ] as const) {
    const columns = ['energy', 'start_time', 'app_info_id']
    if (database.known(table, columns).length < columns.length) continue
    const sum = median(
      database,
      `select sum(energy) * 1.0 as value from (select * from ${table} limit ${MOST_ROWS})
       where typeof(energy) in ('integer', 'real') and energy > 0
       group by app_info_id, cast(start_time / 86400000 as integer)`,
    )
    for (const unit of ['cal', 'J'] as const) {
      const kilocalories = (sum ?? Number.NaN) / DIVISORS[unit]
      if (kilocalories >= least && kilocalories <= most) return unit
    }
  }
  return undefined
}

/** Liters that a person drinks at once, at most. */
const MOST_LITERS = 50
/** Milliliters of an entry are some hundreds, liters less than one. */
const LIMIT_OF_LITERS = 5

/** Returns the unit of the volumes of a file: liters, or milliliters where they are too large. */
export function volumeUnitOf(database: HealthConnectDatabase): 'L' | 'ml' {
  const table = 'hydration_record_table'
  if (database.known(table, ['volume']).length === 0) return 'L'
  const volumes = `select volume * 1.0 as value from (select * from ${table} limit ${MOST_ROWS})
    where typeof(volume) in ('integer', 'real') and volume > 0`
  const [largest] = database.rows(`select max(value) as value from (${volumes})`)
  if (!(Number(largest?.value ?? 0) > MOST_LITERS)) return 'L'
  return (median(database, volumes) ?? 0) > LIMIT_OF_LITERS ? 'ml' : 'L'
}

function median(database: HealthConnectDatabase, sql: string): number | undefined {
  const rows = database.rows(sql)
  const values = Array.from(rows, ({ value }) => Number(value)).sort((a, b) => a - b)
  return values[Math.floor((values.length - 1) / 2)]
}
