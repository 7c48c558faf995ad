/** Names of kinds of sports, as the table of sports knows them, by the names of the FIT profile. */
const KINDS: Readonly<Record<string, string>> = {
  treadmill: 'treadmill_running',
  trail: 'trail_running',
  track: 'track_running',
  street: 'running',
  indoor_running: 'treadmill_running',
  ultra: 'ultra_running',
  obstacle: 'obstacle_running',
  spin: 'stationary_biking',
  indoor_cycling: 'stationary_biking',
  road: 'road_biking',
  mountain: 'mountain_biking',
  mountain_enduro: 'mountain_biking',
  enduro: 'mountain_biking',
  mountain_downhill: 'downhill_biking',
  recumbent: 'recumbent_cycling',
  cyclocross: 'cyclocross',
  hand_cycling: 'handcycling',
  indoor_hand_cycling: 'indoor_handcycling',
  track_cycling: 'track_cycling',
  gravel_cycling: 'gravel_cycling',
  e_bike_fitness: 'electric_biking',
  e_bike_mountain: 'electric_mountain_biking',
  bmx: 'bmx',
  indoor_rowing: 'rowing_machine',
  elliptical: 'elliptical',
  stair_climbing: 'stair_climbing_machine',
  lap_swimming: 'pool_swimming',
  open_water: 'open_water_swimming',
  flexibility_training: 'flexibility',
  strength_training: 'strength_training',
  cardio_training: 'mixed_cardio',
  indoor_walking: 'indoor_walking',
  casual_walking: 'walking',
  speed_walking: 'speed_walking',
  backcountry: 'backcountry_skiing',
  resort: 'downhill_skiing',
  skate_skiing: 'cross_country_skiing',
  yoga: 'yoga',
  pilates: 'pilates',
  breathing: 'breathwork',
  hiit: 'hiit',
  indoor_climbing: 'indoor_climbing',
  bouldering: 'bouldering',
  rucking: 'rucking',
  pickleball: 'pickleball',
  padel: 'padel',
  squash: 'squash',
  badminton: 'badminton',
  racquetball: 'racquetball',
  table_tennis: 'table_tennis',
  ultimate: 'ultimate',
  whitewater: 'rafting',
  bike_to_run_transition: 'transition',
  run_to_bike_transition: 'transition',
  swim_to_bike_transition: 'transition',
}

/** Kinds whose name depends on their sport. */
const KINDS_OF_SPORTS: Readonly<Record<string, string>> = {
  'running virtual_activity': 'virtual_running',
  'cycling virtual_activity': 'virtual_cycling',
  'cycling downhill': 'downhill_biking',
  'alpine_skiing downhill': 'downhill_skiing',
  'snowboarding backcountry': 'backcountry_snowboarding',
  'snowboarding resort': 'snowboarding',
  'cross_country_skiing backcountry': 'backcountry_skiing',
  'hockey ice': 'ice_hockey',
  'hockey field': 'hockey',
}

const SPORTS: Readonly<Record<string, string>> = {
  generic: 'other',
  all: 'other',
  fitness_equipment: 'fitness_equipment',
  paddling: 'paddling',
  e_biking: 'electric_biking',
  racket: 'racquet_sports',
}

const ON_FOOT = new Set(['running', 'walking', 'hiking', 'mountaineering', 'snowshoeing'])

/** Returns the name of a sport by the sport and its kind in the FIT profile. */
export function sportOf(sport: unknown, kind: unknown): string {
  const [general, special] = [String(sport ?? 'generic'), String(kind ?? 'generic')]
  const ofSport = KINDS_OF_SPORTS[`${general} ${special}`]
  return ofSport ?? KINDS[special] ?? SPORTS[general] ?? general
}

/** Whether the cadence of a sport is that of one leg. */
export const isOnFoot = (sport: unknown): boolean => ON_FOOT.has(String(sport))
