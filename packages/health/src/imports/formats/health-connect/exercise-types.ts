import type { HealthConnectDatabase } from './health-connect-database.ts'

/** Names by the codes of Android itself, from 0. */
const ANDROID = [
  'workout badminton baseball basketball biking biking_stationary boot_camp boxing calisthenics',
  'cricket dancing exercise_class fencing football_american football_australian frisbee_disc golf',
  'guided_breathing gymnastics handball high_intensity_interval_training hiking ice_hockey',
  'ice_skating martial_arts paddling paragliding pilates racquetball rock_climbing roller_hockey',
  'rowing rugby running running_treadmill sailing scuba_diving skating skiing snowboarding',
  'snowshoeing soccer softball squash stair_climbing strength_training stretching surfing',
  'swimming_open_water swimming_pool table_tennis tennis volleyball walking water_polo',
  'weightlifting wheelchair yoga workout stair_climbing_machine elliptical rowing_machine',
]
  .join(' ')
  .split(' ')

/** Names by the codes of the library for apps (androidx), as `code name`. */
const LIBRARY = new Map(
  [
    '0 workout, 2 badminton, 4 baseball, 5 basketball, 8 biking, 9 biking_stationary, 10 boot_camp',
    '11 boxing, 13 calisthenics, 14 cricket, 16 dancing, 25 elliptical, 26 exercise_class',
    '27 fencing, 28 football_american, 29 football_australian, 31 frisbee_disc, 32 golf',
    '33 guided_breathing, 34 gymnastics, 35 handball, 36 high_intensity_interval_training',
    '37 hiking, 38 ice_hockey, 39 ice_skating, 44 martial_arts, 46 paddling, 47 paragliding',
    '48 pilates, 50 racquetball, 51 rock_climbing, 52 roller_hockey, 53 rowing, 54 rowing_machine',
    '55 rugby, 56 running, 57 running_treadmill, 58 sailing, 59 scuba_diving, 60 skating',
    '61 skiing, 62 snowboarding, 63 snowshoeing, 64 soccer, 65 softball, 66 squash',
    '68 stair_climbing, 69 stair_climbing_machine, 70 strength_training, 71 stretching',
    '72 surfing, 73 swimming_open_water, 74 swimming_pool, 75 table_tennis, 76 tennis',
    '78 volleyball, 79 walking, 80 water_polo, 81 weightlifting, 82 wheelchair, 83 yoga',
  ]
    .flatMap((line) => line.split(', '))
    .map((entry) => {
      const [code, name = ''] = entry.split(' ')
      return [Number(code), name] as const
    }),
)

/** What most people do; a file in the wrong numbering has few of these. */
const USUAL = new Set(
  'running walking biking biking_stationary running_treadmill hiking strength_training weightlifting swimming_pool swimming_open_water yoga pilates elliptical rowing_machine high_intensity_interval_training tennis soccer dancing stretching skiing'.split(
    ' ',
  ),
)

/**
 * Returns the numbering of the types of exercise in a file. Android and its library for apps number
 * them differently, and readers of exports report both: a code above those of Android decides, else
 * the numbering in which more sessions are of a usual kind, else that of the library.
 * @returns the name of a code; `workout` for an unknown one
 */
export function exerciseTypesOf(database: HealthConnectDatabase): (code: unknown) => string {
  const table = 'exercise_session_record_table'
  const known = database.known(table, ['exercise_type']).length > 0
  const counts = known
    ? database.rows(
        `select exercise_type * 1.0 as code, count(*) * 1.0 as sessions from ${table}
         where typeof(exercise_type) in ('integer', 'real') group by exercise_type limit 1000`,
      )
    : []
  let [ofAndroid, ofLibrary] = [0, 0]
  for (const { code, sessions } of counts) {
    const [number, weight] = [Number(code), Number(sessions)]
    if (number >= ANDROID.length) ofLibrary = Number.POSITIVE_INFINITY
    if (USUAL.has(ANDROID[number] ?? '')) ofAndroid += weight
    if (USUAL.has(LIBRARY.get(number) ?? '')) ofLibrary += weight
  }
  const nameOf = (code: number) => (ofAndroid > ofLibrary ? ANDROID[code] : LIBRARY.get(code))
  return (code) => nameOf(Number(code ?? 0)) ?? 'workout'
}
