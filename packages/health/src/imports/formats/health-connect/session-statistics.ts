import type { SqlRow } from '../../files/sqlite.ts'
import type { HealthConnectDatabase, HealthConnectRecord } from './health-connect-database.ts'

/** What the app of a session measured during it. */
export interface SessionStatistics {
  readonly from: number
  readonly to: number
  rates: number
  sumOfRates: number
  least: number
  most: number
  meters: number | null
  kilocalories: number | null
}

/** Ten sessions a day in fifty years; more have no statistics. */
const MOST_SESSIONS = 200_000
/** Sessions that may overlap in one app, such as a workout within another. */
const OVERLAPPING = 4

/** Statistics of sleeps and workouts by the app that wrote them. */
export class SessionIndex {
  readonly #byApp = new Map<string, SessionStatistics[]>()
  #count = 0

  /** Adds the sessions of a table. */
  addTable(database: HealthConnectDatabase, table: string): void {
    if (!database.has(table)) return
    const rows: Generator<SqlRow> = database.rows(
      `select ${database.terms(table, [])} from ${table} limit ${MOST_SESSIONS - this.#count}`,
    )
    for (const row of rows) {
      const { start, end, frame } = database.record(row)
      if (!(end.at >= start.at)) continue
      const sessions = this.#byApp.get(frame.appId) ?? []
      this.#byApp.set(frame.appId, sessions)
      this.#count++
      sessions.push({
        ...{ from: start.at, to: end.at, rates: 0, sumOfRates: 0 },
        ...{ least: Number.POSITIVE_INFINITY, most: 0, meters: null, kilocalories: null },
      })
    }
  }

  /** Sorts the sessions; call it once all are added. */
  sort(): void {
    for (const sessions of this.#byApp.values()) sessions.sort((a, b) => a.from - b.from)
  }

  /** Returns the sessions of an app that contain an interval. */
  during(appId: string, from: number, to: number): SessionStatistics[] {
    const sessions = this.#byApp.get(appId)
    if (sessions === undefined) return []
    let [low, high] = [0, sessions.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sessions[middle] as SessionStatistics).from <= from) low = middle + 1
      else high = middle
    }
    return sessions.slice(Math.max(0, low - OVERLAPPING), low).filter((one) => one.to >= to)
  }

  /** Returns the statistics of a session itself. */
  of({ frame, start, end }: HealthConnectRecord): SessionStatistics | undefined {
    return this.during(frame.appId, start.at, end.at).find(
      ({ from, to }) => from === start.at && to === end.at,
    )
  }

  addHeartRate(appId: string, at: number, rate: number): void {
    // Health Connect allows 1 to 300.
    if (!(rate >= 10 && rate <= 300)) return
    for (const session of this.during(appId, at, at)) {
      session.rates++
      session.sumOfRates += rate
      session.least = Math.min(session.least, rate)
      session.most = Math.max(session.most, rate)
    }
  }
}

/** Returns the columns of a heart rate; none where no rate was measured. */
export function heartRateValues(session: SessionStatistics | undefined) {
  if (session === undefined || session.rates === 0) return {}
  return {
    heart_rate_mean: Math.round(session.sumOfRates / session.rates),
    heart_rate_minimum: Math.round(session.least),
    heart_rate_maximum: Math.round(session.most),
  }
}
