import { getFitManufacturerName } from 'fit-file-parser'

/** Data of makers that are no providers. */
export const ANY_MAKER = 'manual'

/** How the name of a maker or a creator begins, with its provider. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [
    /^garmin|^forerunner|^edge \d|^fenix|^fēnix|^vivo|^venu|^instinct|^epix|^etrex|^gpsmap|^oregon|^montana|^connect ?api/i,
    'garmin',
  ],
  [/^wahoo|^elemnt/i, 'wahoo'],
  [/^suunto|^movescount/i, 'suunto'],
  [/^polar/i, 'polar'],
  [/^strava/i, 'strava'],
  [/^zwift/i, 'zwift'],
  [/^hammerhead|^karoo/i, 'hammerhead'],
  [/^peloton/i, 'peloton'],
  [/^fitbit/i, 'fitbit'],
  [/^whoop/i, 'whoop_v2'],
  [/^runkeeper/i, 'runkeeper'],
  [/^mapmyf|^mapmyr|^mapmy/i, 'map_my_fitness'],
  [/^withings/i, 'withings'],
]

/** Returns the provider of the name of a maker, or of the program that wrote a file. */
export function providerOfMaker(name: string): string {
  const text = name.trim()
  return PROVIDERS.find(([pattern]) => pattern.test(text))?.[1] ?? ANY_MAKER
}

/** Returns the provider of the number of a manufacturer in the FIT profile. */
export const providerOfManufacturer = (number: number | undefined): string =>
  providerOfMaker(number === undefined ? '' : (getFitManufacturerName(number) ?? ''))
