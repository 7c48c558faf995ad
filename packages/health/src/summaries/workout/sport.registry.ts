export interface Sport {
  /** A number of our own. Numbers are never reused, so rows may be removed but not moved. */
  id: number
  name: string
  slug: string
}

type Row = readonly [id: number, name: string, ...otherNames: string[]]

/**
 * The activity types of HealthKit, the exercise types of Health Connect, and further sports of
 * Garmin, Fitbit and Strava. The name is followed by normalized synonyms.
 */
const ROWS: readonly Row[] = [
  [
    1,
    'Other',
    'workout',
    'other_workout',
    'sport',
    'sports',
    'training',
    'exercise',
    'stop_watch',
    'uncategorized',
    'fitness_equipment',
  ],
  [
    2,
    'Running',
    'run',
    'jogging',
    'jog',
    'street_running',
    'outdoor_running',
    'outdoor_run',
    'road_running',
  ],
  [3, 'Walking', 'walk', 'casual_walking', 'outdoor_walk', 'outdoor_walking'],
  [
    4,
    'Cycling',
    'biking',
    'bike',
    'ride',
    'bike_ride',
    'outdoor_bike',
    'outdoor_cycling',
    'bicycling',
  ],
  [5, 'Swimming', 'swim'],
  [6, 'Hiking', 'hike', 'trekking'],
  [
    7,
    'Treadmill Running',
    'running_treadmill',
    'treadmill',
    'indoor_running',
    'indoor_run',
    'treadmill_run',
  ],
  [8, 'Trail Running', 'trail_run'],
  [9, 'Track Running', 'track_run'],
  [10, 'Virtual Running', 'virtual_run'],
  [11, 'Ultra Running', 'ultra_run', 'ultramarathon'],
  [12, 'Obstacle Running', 'obstacle_run', 'obstacle_course_racing'],
  [13, 'Speed Walking', 'race_walking', 'power_walking', 'nordic_walking'],
  [14, 'Indoor Walking', 'walking_treadmill', 'indoor_walk', 'treadmill_walking'],
  [15, 'Rucking', 'ruck'],
  [
    16,
    'Stationary Biking',
    'biking_stationary',
    'indoor_cycling',
    'indoor_bike',
    'stationary_bike',
    'spinning',
    'spin',
    'exercise_bike',
    'cycling_stationary',
    'bicycling_stationary',
  ],
  [17, 'Road Biking', 'road_cycling', 'road_bike'],
  [18, 'Mountain Biking', 'mountain_bike', 'mountain_bike_ride', 'mountain_cycling'],
  [19, 'Gravel Cycling', 'gravel_ride', 'gravel_biking'],
  [20, 'Virtual Cycling', 'virtual_ride'],
  [21, 'Electric Biking', 'e_bike_ride', 'e_biking', 'e_bike_fitness', 'electric_bike'],
  [22, 'Electric Mountain Biking', 'e_mountain_bike_ride', 'e_bike_mountain'],
  [23, 'Cyclocross'],
  [24, 'BMX'],
  [25, 'Downhill Biking'],
  [26, 'Recumbent Cycling', 'velomobile'],
  [27, 'Track Cycling'],
  [28, 'Hand Cycling', 'handcycling', 'handcycle', 'indoor_handcycling'],
  [29, 'Open Water Swimming', 'swimming_open_water', 'open_water_swim'],
  [30, 'Pool Swimming', 'swimming_pool', 'lap_swimming', 'lap_swim'],
  [31, 'Swim Bike Run', 'triathlon', 'multi_sport', 'multisport'],
  [32, 'Transition'],
  [33, 'Duathlon'],
  [34, 'Traditional Strength Training', 'weight_training'],
  [35, 'Functional Strength Training'],
  [
    36,
    'Strength Training',
    'weights',
    'weight_machine',
    'free_weights',
    'resistance_band',
    'kettlebell',
  ],
  [37, 'Weightlifting', 'weight_lifting', 'olympic_lifting'],
  [38, 'Powerlifting'],
  [39, 'Calisthenics'],
  [40, 'Core Training', 'sit_ups'],
  [41, 'High Intensity Interval Training', 'hiit', 'interval_workout', 'interval_training'],
  [42, 'Cross Training', 'crossfit', 'cross_fit'],
  [43, 'Circuit Training'],
  [44, 'Boot Camp', 'bootcamp'],
  [
    45,
    'Mixed Cardio',
    'mixed_metabolic_cardio_training',
    'aerobic_workout',
    'aerobics',
    'indoor_cardio',
    'cardio',
    'cardio_training',
    'cardio_workout',
  ],
  [46, 'Exercise Class', 'fitness_class'],
  [47, 'Elliptical', 'elliptical_trainer'],
  [48, 'Rowing', 'row', 'outdoor_rowing'],
  [49, 'Rowing Machine', 'indoor_rowing', 'virtual_row', 'rowing_indoor'],
  [50, 'Stair Climbing', 'stair_climb', 'stairclimbing', 'floor_climbing'],
  [51, 'Stair Climbing Machine', 'stair_stepper', 'stairclimber', 'stairmaster'],
  [52, 'Stairs'],
  [53, 'Step Training', 'step_aerobics'],
  [54, 'Jump Rope', 'rope_skipping', 'rope_jumping', 'skipping_rope', 'jumping_rope'],
  [55, 'Barre', 'barre_class'],
  [56, 'Pilates'],
  [57, 'Yoga', 'hot_yoga', 'power_yoga', 'bikram_yoga', 'hatha_yoga', 'vinyasa_yoga'],
  [58, 'Stretching'],
  [59, 'Flexibility'],
  [60, 'Tai Chi', 'taichi'],
  [61, 'Qigong'],
  [62, 'Mind And Body'],
  [63, 'Meditation', 'mindfulness', 'meditating'],
  [64, 'Guided Breathing', 'breathwork', 'breathing'],
  [65, 'Preparation And Recovery', 'recovery'],
  [66, 'Cooldown', 'cool_down'],
  [67, 'Warm Up', 'warmup'],
  [68, 'Gymnastics'],
  [69, 'Trampoline'],
  [70, 'Dancing', 'dance', 'dance_inspired_training'],
  [71, 'Cardio Dance', 'zumba', 'dance_fitness'],
  [72, 'Social Dance', 'ballroom_dance'],
  [73, 'Ballet'],
  [74, 'Fitness Gaming', 'video_game_fitness'],
  [75, 'Play'],
  [76, 'Martial Arts', 'mixed_martial_arts', 'karate', 'taekwondo'],
  [77, 'Judo'],
  [78, 'Jiu Jitsu', 'brazilian_jiu_jitsu'],
  [79, 'Boxing'],
  [80, 'Kickboxing', 'muay_thai'],
  [81, 'Wrestling'],
  [82, 'Fencing'],
  [83, 'Archery'],
  [84, 'American Football', 'football_american'],
  [85, 'Australian Football', 'football_australian'],
  [86, 'Soccer', 'football', 'football_soccer'],
  [87, 'Rugby'],
  [88, 'Basketball'],
  [89, 'Baseball'],
  [90, 'Softball'],
  [91, 'Volleyball'],
  [92, 'Beach Volleyball'],
  [93, 'Handball'],
  [94, 'Netball'],
  [95, 'Cricket'],
  [96, 'Lacrosse'],
  [97, 'Hockey', 'field_hockey'],
  [98, 'Ice Hockey'],
  [99, 'Roller Hockey'],
  [100, 'Floorball'],
  [101, 'Curling'],
  [102, 'Bowling'],
  [103, 'Disc Sports', 'frisbee_disc', 'frisbee', 'ultimate_disc', 'ultimate', 'ultimate_frisbee'],
  [104, 'Disc Golf'],
  [105, 'Tennis'],
  [106, 'Table Tennis', 'ping_pong'],
  [107, 'Badminton'],
  [108, 'Squash'],
  [109, 'Racquetball', 'racquet_ball'],
  [110, 'Pickleball'],
  [111, 'Padel', 'padel_tennis', 'paddelball', 'padelball'],
  [112, 'Platform Tennis'],
  [113, 'Racket Sports', 'racquet_sports'],
  [114, 'Team Sports'],
  [115, 'Golf'],
  [116, 'Track And Field', 'athletics'],
  [117, 'Equestrian Sports', 'horseback_riding', 'horse_riding'],
  [118, 'Fishing'],
  [119, 'Hunting'],
  [120, 'Climbing'],
  [121, 'Rock Climbing'],
  [122, 'Indoor Climbing', 'indoor_rock_climbing'],
  [123, 'Bouldering'],
  [124, 'Mountaineering', 'alpinism'],
  [125, 'Skiing', 'ski'],
  [
    126,
    'Downhill Skiing',
    'alpine_ski',
    'alpine_skiing',
    'resort_skiing',
    'skiing_alpine',
    'resort_skiing_snowboarding',
  ],
  [127, 'Cross Country Skiing', 'nordic_ski', 'nordic_skiing', 'cross_country_ski', 'skate_skiing'],
  [128, 'Backcountry Skiing', 'backcountry_ski', 'ski_touring'],
  [129, 'Roller Skiing', 'roller_ski'],
  [130, 'Snowboarding', 'snowboard'],
  [131, 'Backcountry Snowboarding'],
  [132, 'Snowshoeing', 'snowshoe', 'snow_shoe', 'snow_shoeing'],
  [133, 'Snowmobiling'],
  [134, 'Snow Sports', 'winter_sports'],
  [135, 'Sledding'],
  [136, 'Skating Sports', 'skating'],
  [137, 'Ice Skating', 'ice_skate', 'skating_ice'],
  [138, 'Inline Skating', 'inline_skate', 'roller_skating', 'rollerblading'],
  [139, 'Skateboarding', 'skateboard'],
  [140, 'Paddle Sports', 'paddling'],
  [141, 'Kayaking', 'kayak'],
  [142, 'Canoeing', 'canoe'],
  [143, 'Stand Up Paddling', 'stand_up_paddleboarding', 'stand_up_paddle', 'sup', 'paddleboarding'],
  [144, 'Rafting', 'whitewater_rafting', 'whitewater'],
  [145, 'Sailing', 'sail'],
  [146, 'Boating'],
  [147, 'Surfing', 'surfing_sports', 'surf'],
  [148, 'Kitesurfing', 'kitesurf', 'kiteboarding'],
  [149, 'Windsurfing', 'windsurf'],
  [150, 'Wakeboarding', 'wakeboard'],
  [151, 'Wakesurfing', 'wakesurf'],
  [152, 'Water Skiing', 'waterskiing'],
  [153, 'Water Sports'],
  [154, 'Water Polo'],
  [155, 'Water Fitness', 'aqua_fitness', 'water_aerobics'],
  [156, 'Scuba Diving', 'diving', 'single_gas_diving', 'multi_gas_diving', 'gauge_diving'],
  [157, 'Underwater Diving', 'free_diving', 'apnea_diving', 'apnea_hunting'],
  [158, 'Snorkeling'],
  [159, 'Paragliding'],
  [160, 'Hang Gliding'],
  [161, 'Sky Diving', 'skydiving', 'wingsuit_flying'],
  [162, 'Flying'],
  [163, 'Motorcycling', 'motorcycle'],
  [164, 'Motocross'],
  [165, 'Driving'],
  [166, 'Auto Racing', 'motor_sports'],
  [167, 'ATV', 'all_terrain_vehicle'],
  [168, 'Wheelchair', 'wheelchair_pushing'],
  [169, 'Wheelchair Walk Pace', 'wheelchair_walk'],
  [170, 'Wheelchair Run Pace', 'wheelchair_run'],
  [171, 'Gardening', 'yard_work', 'lawn_mowing'],
  [172, 'House Cleaning', 'housework', 'cleaning', 'chores'],
  [173, 'Commuting'],
  [174, 'Dog Walking'],
  [175, 'Golf Driving Range'],
  [176, 'Shooting'],
  [177, 'Billiards'],
  [179, 'Hula Hooping'],
]

/** Lower case, words joined by underscores (docs/contract/06-summaries.md#workouts). */
function normalize(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?:hk_)?workout_activity_type_|^exercise_type_/, '')
    .replace(/_(?:ws|v2)$/, '')
}

/** All sports; the first is `other`, for unknown ones. */
export const SPORTS: readonly Sport[] = ROWS.map(([id, name]) => ({
  id,
  name,
  slug: name.toLowerCase().replaceAll(' ', '_'),
}))

const OTHER = SPORTS[0] as Sport

const BY_SLUG = new Map(SPORTS.map((sport) => [sport.slug, sport]))

const BY_ANY_NAME = new Map(
  ROWS.flatMap(([, _name, ...otherNames], index) => {
    const sport = SPORTS[index] as Sport
    return [sport.slug, ...otherNames].map((known) => [known, sport] as const)
  }),
)

/** Finds the sport with a slug. */
export function findSportBySlug(slug: string): Sport | undefined {
  return BY_SLUG.get(slug)
}

/**
 * Returns the sport for a name of a client or provider: an English name, a key of Health Connect, a
 * constant of HealthKit, a type of Garmin or Strava. An unknown one is `other`.
 */
export function toSport(text: string): Sport {
  // Names come from clients; a long text is not a name, and must not cost time.
  return (text.length > 100 ? undefined : BY_ANY_NAME.get(normalize(text))) ?? OTHER
}
