/** How the tile of a provider looks. */
interface ProviderTile {
  /** Color of the tile, close to that of the brand. */
  color: string
  /**
   * File in data/provider-logos with the mark of the brand, which is drawn in white; without one
   * the tile has a letter.
   */
  file?: string
}

/**
 * Marks of the brands whose drawing Simple Icons offers under CC0, and colors of the others
 * (docs/decisions/0074-link-page-for-many.md). A provider without a row gets a letter on a color
 * of its own.
 */
export const PROVIDER_TILES: Readonly<Record<string, ProviderTile>> = {
  abbott_libreview: { color: '#008fc7', file: 'abbott' },
  accuchek_ble: { color: '#0b41cd' },
  apple_health_kit: { color: '#d81b60', file: 'heart' },
  beurer_api: { color: '#b8004f' },
  beurer_ble: { color: '#b8004f' },
  cronometer: { color: '#f2722b' },
  dexcom: { color: '#58a618' },
  dexcom_v3: { color: '#58a618' },
  eight_sleep: { color: '#262729', file: 'eightsleep' },
  fitbit: { color: '#00b0b9', file: 'fitbit' },
  freestyle_libre: { color: '#ffd100' },
  freestyle_libre_ble: { color: '#ffd100' },
  garmin: { color: '#007cc3' },
  google_fit: { color: '#4285f4', file: 'google' },
  google_health: { color: '#4285f4', file: 'google' },
  hammerhead: { color: '#e4002b' },
  health_connect: { color: '#1f6feb' },
  ihealth: { color: '#f26522' },
  kardia: { color: '#1d4f91' },
  map_my_fitness: { color: '#1d1d1d' },
  my_fitness_pal: { color: '#0066ee' },
  my_fitness_pal_v2: { color: '#0066ee' },
  omron: { color: '#005eb8' },
  omron_ble: { color: '#005eb8' },
  oura: { color: '#2f4a73' },
  peloton: { color: '#181a1d', file: 'peloton' },
  polar: { color: '#d10027' },
  renpho: { color: '#00a3ad' },
  runkeeper: { color: '#001e62' },
  samsung_health: { color: '#1428a0' },
  strava: { color: '#fc4c02', file: 'strava' },
  tandem_source: { color: '#0072ce' },
  ultrahuman: { color: '#111111' },
  wahoo: { color: '#0f8ad6' },
  whoop: { color: '#1a1a1a' },
  whoop_v2: { color: '#1a1a1a' },
  withings: { color: '#0e2a47' },
  zwift: { color: '#fc6719' },
}
