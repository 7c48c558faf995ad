import { SERIES } from '../series/index.ts'

/** How a user grants access (docs/contract/03-link.md#provider-catalogue-endpoint). */
export type AuthType = 'oauth' | 'team_oauth' | 'password' | 'email' | 'sdk'

/** How data arrive. */
type DeliveryMode = 'push' | 'poll' | 'hybrid' | 'sdk'

/** One source of health data (docs/contract/04-providers.md#table-of-providers). */
export interface Provider {
  slug: string
  name: string
  description: string
  authType: AuthType
  mode: DeliveryMode
  /** Days of history that are pulled for a new connection. */
  historicalDays: number
  /** Names of resources in supported_resources and in availability maps. */
  resources: readonly string[]
}

const list = (names: string): string[] => names.split(' ')

const SUMMARY_RESOURCES = list(
  'profile activity sleep sleep_cycle body workouts workout_stream meal menstrual_cycle electrocardiogram',
)
const ANY_RESOURCE = [...SUMMARY_RESOURCES, ...SERIES.map((series) => series.resource)]

function provider(
  slug: string,
  name: string,
  authType: AuthType,
  mode: DeliveryMode,
  historicalDays: number,
  resources: readonly string[],
): Provider {
  const description =
    authType === 'sdk' ? `${name}, sent by a mobile app or by the team.` : `${name} cloud account.`
  return { slug, name, description, authType, mode, historicalDays, resources }
}

/** The providers of docs/contract/04-providers.md#table-of-providers, in its order. */
export const PROVIDERS: readonly Provider[] = [
  provider(
    'oura',
    'Oura',
    'oauth',
    'hybrid',
    180,
    list(
      'activity sleep sleep_cycle workouts profile device heartrate hrv respiratory_rate blood_oxygen body_temperature_delta stress_level vo2_max',
    ),
  ),
  provider(
    'fitbit',
    'Fitbit',
    'oauth',
    'hybrid',
    90,
    list(
      'activity body sleep sleep_cycle workouts workout_stream meal profile device heartrate calories_active distance steps vo2_max water body_temperature fat weight hrv blood_oxygen respiratory_rate heart_rate_alert',
    ),
  ),
  provider(
    'garmin',
    'Garmin',
    'oauth',
    'push',
    90,
    list(
      'activity body sleep sleep_cycle workouts workout_stream device menstrual_cycle blood_pressure blood_oxygen body_temperature_delta heartrate calories_active steps distance stress_level hrv respiratory_rate vo2_max',
    ),
  ),
  provider(
    'whoop',
    'WHOOP (legacy)',
    'password',
    'poll',
    180,
    list('activity sleep sleep_cycle workouts'),
  ),
  provider('strava', 'Strava', 'team_oauth', 'push', 14, list('workouts workout_stream profile')),
  provider('renpho', 'Renpho', 'password', 'poll', 90, list('body weight fat')),
  provider('peloton', 'Peloton', 'password', 'poll', 180, list('workouts workout_stream')),
  provider('wahoo', 'Wahoo', 'oauth', 'hybrid', 180, list('workouts workout_stream profile')),
  provider('zwift', 'Zwift', 'password', 'poll', 270, list('workouts workout_stream')),
  provider(
    'freestyle_libre',
    'Freestyle Libre',
    'email',
    'poll',
    90,
    list('glucose note carbohydrates insulin_injection'),
  ),
  provider('abbott_libreview', 'Abbott LibreView', 'password', 'poll', 14, list('glucose')),
  provider(
    'tandem_source',
    'Tandem Source',
    'password',
    'poll',
    30,
    list('insulin_injection glucose carbohydrates'),
  ),
  provider('freestyle_libre_ble', 'Freestyle Libre BLE (NFC)', 'sdk', 'sdk', 0, list('glucose')),
  provider(
    'eight_sleep',
    '8Sleep',
    'password',
    'poll',
    90,
    list('sleep sleep_cycle heartrate hrv respiratory_rate'),
  ),
  provider(
    'withings',
    'Withings',
    'oauth',
    'hybrid',
    90,
    list(
      'activity body sleep sleep_cycle workouts device blood_pressure body_temperature fat weight heartrate blood_oxygen electrocardiogram electrocardiogram_voltage heart_rate_alert',
    ),
  ),
  provider(
    'apple_health_kit',
    'Apple HealthKit',
    'sdk',
    'sdk',
    30,
    list(
      'profile body workouts workout_distance workout_swimming_stroke activity sleep sleep_cycle menstrual_cycle meal electrocardiogram electrocardiogram_voltage glucose blood_pressure blood_oxygen heartrate hrv mindfulness_minutes body_temperature basal_body_temperature body_temperature_delta respiratory_rate steps wheelchair_push floors_climbed distance vo2_max calories_active calories_basal weight fat lean_body_mass waist_circumference body_mass_index water caffeine heart_rate_alert afib_burden stand_hour stand_duration sleep_apnea_alert sleep_breathing_disturbance forced_expiratory_volume_1 forced_vital_capacity peak_expiratory_flow_rate inhaler_usage fall uv_exposure daylight_exposure handwashing heart_rate_recovery_one_minute',
    ),
  ),
  provider('manual', 'Manual', 'sdk', 'sdk', 0, ANY_RESOURCE),
  provider(
    'ihealth',
    'iHealth',
    'oauth',
    'poll',
    90,
    list('activity sleep body blood_pressure glucose blood_oxygen weight'),
  ),
  provider(
    'google_fit',
    'Google Fit',
    'oauth',
    'poll',
    90,
    list(
      'activity body sleep workouts heartrate steps distance calories_active weight fat blood_pressure glucose',
    ),
  ),
  provider(
    'beurer_api',
    'Beurer',
    'password',
    'poll',
    90,
    list('blood_pressure glucose weight fat body'),
  ),
  provider('beurer_ble', 'Beurer (Bluetooth)', 'sdk', 'sdk', 0, list('blood_pressure')),
  provider(
    'omron',
    'Omron',
    'oauth',
    'poll',
    90,
    list('activity body blood_pressure heartrate weight fat'),
  ),
  provider('omron_ble', 'Omron (Bluetooth)', 'sdk', 'sdk', 0, list('blood_pressure weight fat')),
  provider('onetouch_ble', 'OneTouch (Bluetooth)', 'sdk', 'sdk', 0, list('glucose')),
  provider('accuchek_ble', 'Accu-Chek (Bluetooth)', 'sdk', 'sdk', 0, list('glucose')),
  provider('contour_ble', 'Contour (Bluetooth)', 'sdk', 'sdk', 0, list('glucose')),
  provider('dexcom', 'Dexcom (G6 and older)', 'password', 'poll', 1, list('glucose')),
  provider(
    'dexcom_v3',
    'Dexcom',
    'team_oauth',
    'poll',
    30,
    list('glucose insulin_injection carbohydrates note'),
  ),
  provider('hammerhead', 'Hammerhead', 'oauth', 'hybrid', 30, list('workouts workout_stream')),
  provider('my_fitness_pal', 'MyFitnessPal (diary key)', 'password', 'poll', 14, list('meal')),
  provider(
    'health_connect',
    'Android Health Connect',
    'sdk',
    'sdk',
    30,
    list(
      'profile body workouts activity sleep sleep_cycle menstrual_cycle meal glucose blood_pressure blood_oxygen heartrate hrv respiratory_rate body_temperature steps distance floors_climbed vo2_max calories_active calories_basal water weight fat',
    ),
  ),
  provider(
    'samsung_health',
    'Samsung Health',
    'sdk',
    'sdk',
    30,
    list(
      'profile body workouts activity sleep sleep_cycle glucose blood_pressure blood_oxygen heartrate body_temperature steps distance floors_climbed vo2_max calories_active calories_basal water weight fat',
    ),
  ),
  provider(
    'polar',
    'Polar',
    'oauth',
    'push',
    28,
    list('activity sleep sleep_cycle workouts workout_stream profile device heartrate'),
  ),
  provider('cronometer', 'Cronometer', 'oauth', 'push', 28, list('meal body water caffeine')),
  provider(
    'kardia',
    'Kardia',
    'password',
    'poll',
    90,
    list('electrocardiogram electrocardiogram_voltage heart_rate_alert heartrate'),
  ),
  provider(
    'whoop_v2',
    'WHOOP',
    'team_oauth',
    'push',
    180,
    list('activity body sleep workouts profile'),
  ),
  provider(
    'ultrahuman',
    'Ultrahuman',
    'oauth',
    'poll',
    90,
    list('activity sleep sleep_cycle glucose heartrate hrv body_temperature steps'),
  ),
  provider('my_fitness_pal_v2', 'MyFitnessPal API', 'team_oauth', 'push', 14, list('meal')),
  provider(
    'map_my_fitness',
    'MapMyFitness',
    'team_oauth',
    'poll',
    90,
    list('workouts workout_stream'),
  ),
  provider('runkeeper', 'Runkeeper', 'oauth', 'poll', 90, list('workouts workout_stream')),
  provider(
    'google_health',
    'Google Health API',
    'oauth',
    'push',
    90,
    list(
      'activity body sleep sleep_cycle workouts workout_stream meal profile device heartrate calories_active distance steps vo2_max water body_temperature fat weight hrv blood_oxygen respiratory_rate heart_rate_alert floors_climbed carbohydrates caffeine glucose electrocardiogram electrocardiogram_voltage',
    ),
  ),
  provider(
    'suunto',
    'Suunto',
    'oauth',
    'hybrid',
    90,
    list('workouts sleep device heartrate steps hrv blood_oxygen'),
  ),
]

const BY_SLUG = new Map(PROVIDERS.map((entry) => [entry.slug, entry]))

/** Finds any provider, with or without a connector. */
export function findProvider(slug: string): Provider | undefined {
  return BY_SLUG.get(slug)
}

const NUMBERS = new Map(PROVIDERS.map(({ slug }, index) => [slug, index + 1]))

/** Returns the number of a provider; 0 for an unknown slug. New providers are added at the end. */
export const providerNumber = (slug: string): number => NUMBERS.get(slug) ?? 0

/** Laboratories that may be the provider of data (docs/contract/04-providers.md#provider-slugs). */
const LAB_SLUGS = [
  ...['ayumetrix', 'spiriplex', 'ussl', 'quest', 'sonora_quest', 'labcorp', 'bioreference'],
  ...['us_biotek', 'sanocardio', 'ihd', 'nexus', 'my_uti', 'crl', 'mtl'],
]

export const PROVIDER_SLUGS: readonly string[] = PROVIDERS.map(({ slug }) => slug)

/** All slugs that the provider of data can have. */
export const PROVIDER_OR_LAB_SLUGS: readonly string[] = [...PROVIDER_SLUGS, ...LAB_SLUGS]

/**
 * Slugs of providers whose data come from a mobile SDK, a meter or the team
 * (docs/contract/04-providers.md#provider-slugs).
 */
export const SDK_PROVIDER_SLUGS: readonly string[] = PROVIDERS.filter(
  (entry) => entry.authType === 'sdk',
).map((entry) => entry.slug)
