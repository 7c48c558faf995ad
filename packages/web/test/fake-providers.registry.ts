const region = (options: string[], usual?: string, others?: string) => ({
  region: {
    label: 'Region',
    options,
    ...(usual && { default: usual }),
    ...(others && { others }),
  },
})
const password = {
  username: { label: 'User name or e-mail', type: 'text' },
  password: { label: 'Password', type: 'password' },
}

type Row = [slug: string, name: string, authType: string, form: object]

const ROWS: Row[] = [
  ['abbott_libreview', 'Abbott LibreView', 'password', password],
  ['dexcom', 'Dexcom (G6 and older)', 'password', { ...password, ...region(['us', 'gb', 'de']) }],
  ['fitbit', 'Fitbit', 'oauth', {}],
  ['freestyle_libre', 'Freestyle Libre', 'email', region(['us', 'ca', 'hk'], 'us')],
  ['garmin', 'Garmin', 'oauth', {}],
  ['oura', 'Oura', 'oauth', {}],
  ['polar', 'Polar', 'oauth', {}],
  ['renpho', 'Renpho', 'password', password],
  ['strava', 'Strava', 'team_oauth', {}],
  ['withings', 'Withings', 'oauth', {}],
]

/** Further ones, so that a list has thirty clouds. */
const FURTHER_ROWS: Row[] = [
  ['eight_sleep', '8Sleep', 'password', password],
  ['beurer_api', 'Beurer', 'password', password],
  ['cronometer', 'Cronometer', 'oauth', {}],
  ['dexcom_v3', 'Dexcom', 'team_oauth', region(['us', 'eu', 'jp'], 'us', 'eu')],
  ['google_fit', 'Google Fit', 'oauth', {}],
  ['google_health', 'Google Health API', 'oauth', {}],
  ['hammerhead', 'Hammerhead', 'oauth', {}],
  ['ihealth', 'iHealth', 'oauth', {}],
  ['kardia', 'Kardia', 'password', password],
  ['map_my_fitness', 'MapMyFitness', 'team_oauth', {}],
  ['my_fitness_pal', 'MyFitnessPal (diary key)', 'password', password],
  ['my_fitness_pal_v2', 'MyFitnessPal API', 'team_oauth', {}],
  ['omron', 'Omron', 'oauth', {}],
  ['peloton', 'Peloton', 'password', password],
  ['runkeeper', 'Runkeeper', 'oauth', {}],
  ['tandem_source', 'Tandem Source', 'password', password],
  ['ultrahuman', 'Ultrahuman', 'oauth', {}],
  ['wahoo', 'Wahoo', 'oauth', {}],
  ['whoop_v2', 'WHOOP', 'team_oauth', {}],
  ['zwift', 'Zwift', 'password', password],
]

const toProvider = ([slug, name, auth_type, form_components]: Row, id: number) => ({
  id,
  name,
  slug,
  description: name,
  logo: `/assets/providers/${slug}.svg`,
  oauth_url: null,
  auth_type,
  form_components,
})
export type FakeProvider = ReturnType<typeof toProvider>

/** As GET /v2/link/providers lists them. */
export const FAKE_PROVIDERS = ROWS.map(toProvider)

/** Thirty of them, by name. */
export const THIRTY_PROVIDERS = [...ROWS, ...FURTHER_ROWS]
  .map(toProvider)
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

export const FAKE_APP_PROVIDERS = [
  { slug: 'apple_health_kit', name: 'Apple HealthKit' },
  { slug: 'health_connect', name: 'Android Health Connect' },
].map((entry) => ({ ...entry, logo: `/assets/providers/${entry.slug}.svg` }))
