const region = (options: string[], usual?: string) => ({
  region: { label: 'Region', options, ...(usual && { default: usual }) },
})
const password = {
  username: { label: 'User name or e-mail', type: 'text' },
  password: { label: 'Password', type: 'password' },
}

const ROWS: [slug: string, name: string, authType: string, form: object][] = [
  ['abbott_libreview', 'Abbott LibreView', 'password', password],
  ['dexcom', 'Dexcom (G6 and older)', 'password', { ...password, ...region(['us', 'gb', 'de']) }],
  ['fitbit', 'Fitbit', 'oauth', {}],
  ['freestyle_libre', 'Freestyle Libre', 'email', region(['us', 'ca', 'hk'], 'us')],
  ['garmin', 'Garmin', 'oauth', {}],
  ['oura', 'Oura', 'oauth', {}],
  ['polar', 'Polar', 'oauth', {}],
  ['strava', 'Strava', 'team_oauth', {}],
  ['withings', 'Withings', 'oauth', {}],
]

/** As GET /v2/link/providers lists them. */
export const FAKE_PROVIDERS = ROWS.map(([slug, name, auth_type, form_components], id) => ({
  id,
  name,
  slug,
  description: name,
  logo: `/assets/providers/${slug}.svg`,
  oauth_url: null,
  auth_type,
  form_components,
}))
