import { distanceMiles } from '@salus/kernel/geography/distance'
import { findZipCode, type ZipCode } from '@salus/kernel/geography/zip-codes'
import type { CenterColumn, CenterDraft } from './center-columns.registry.ts'

export interface CenterLocation {
  latitude: number
  longitude: number
  time_zone: string
}

/** Farther than any rural ZIP code of the lower states extends; some in Alaska extend farther. */
const MOST_MILES_FROM_ZIP = 150

/**
 * Returns the location of a site: that of its row, or the center of its ZIP code. A complete row is
 * not checked; otherwise the ZIP code must exist and be near.
 * @returns undefined, and adds the problem, when the location is unknown
 */
export async function locateCenter(
  draft: Pick<CenterDraft, 'latitude' | 'longitude' | 'time_zone' | 'zip_code' | 'state'>,
  refuse: (column: CenterColumn, message: string) => void,
): Promise<CenterLocation | undefined> {
  const { latitude, longitude, time_zone: timeZone, zip_code: zip, state } = draft
  if ((latitude === null) !== (longitude === null)) {
    const column = latitude === null ? 'latitude' : 'longitude'
    refuse(column, 'Latitude and longitude go together.')
    return undefined
  }
  const isPlaced = latitude !== null && longitude !== null
  if (isPlaced && timeZone !== null) return { latitude, longitude, time_zone: timeZone }
  const found = await findZipCode(zip)
  if (found === undefined || found.isMilitary) {
    const what = found === undefined ? 'There is no such ZIP code' : 'Military mail has no location'
    refuse('zip_code', `${what}: give latitude, longitude and time_zone.`)
    return undefined
  }
  if (!isPlaced && found.state !== state) {
    refuse('zip_code', `The ZIP code is in ${found.state}: give latitude and longitude.`)
    return undefined
  }
  if (isPlaced && isFarFrom(found, latitude, longitude)) {
    const words = `More than ${MOST_MILES_FROM_ZIP} miles from the ZIP code`
    refuse('latitude', `${words}: correct it, or give time_zone too.`)
    return undefined
  }
  return {
    latitude: latitude ?? found.latitude,
    longitude: longitude ?? found.longitude,
    time_zone: timeZone ?? found.timeZone,
  }
}

function isFarFrom(zip: ZipCode, lat: number, lng: number): boolean {
  if (zip.state === 'AK') return false
  const miles = distanceMiles({ lng, lat }, { lng: zip.longitude, lat: zip.latitude })
  return miles > MOST_MILES_FROM_ZIP
}
