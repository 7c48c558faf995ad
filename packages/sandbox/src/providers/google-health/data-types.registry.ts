/** How records of a type are placed in time. */
export type Kind = 'interval' | 'sample' | 'daily' | 'session'

export interface DataType {
  /** Field of a record with its content. */
  readonly field: string
  readonly kind: Kind
  readonly scope: string
  /** Methods that serve it. */
  readonly methods: readonly ('list' | 'reconcile' | 'rollUp' | 'dailyRollUp')[]
  /** Members by which its records are filtered, and whether their times are local. */
  readonly filters: Readonly<Record<string, 'physical' | 'civil'>>
  /** Whether messages are sent about it. */
  readonly isPushed?: true
}

const ALL = ['list', 'reconcile', 'rollUp', 'dailyRollUp'] as const
const LISTS = ['list', 'reconcile'] as const
const SUMS = ['rollUp', 'dailyRollUp'] as const

const FILTERS = {
  interval: { 'interval.start_time': 'physical', 'interval.civil_start_time': 'civil' },
  sample: { 'sample_time.physical_time': 'physical', 'sample_time.civil_time': 'civil' },
  daily: { date: 'civil' },
  session: { 'interval.civil_start_time': 'civil' },
} as const

type Row = readonly [
  field: string,
  kind: Kind,
  scope: string,
  methods: DataType['methods'],
  rest?: Partial<DataType>,
]

const PUSHED = { isPushed: true } as const

const ROWS: Readonly<Record<string, Row>> = {
  steps: ['steps', 'interval', 'activity_and_fitness', ALL, PUSHED],
  distance: ['distance', 'interval', 'activity_and_fitness', ALL, PUSHED],
  floors: ['floors', 'interval', 'activity_and_fitness', SUMS, PUSHED],
  'total-calories': ['totalCalories', 'interval', 'activity_and_fitness', SUMS],
  'active-energy-burned': ['activeEnergyBurned', 'interval', 'activity_and_fitness', ALL],
  'active-minutes': ['activeMinutes', 'interval', 'activity_and_fitness', ALL],
  'activity-level': ['activityLevel', 'interval', 'activity_and_fitness', LISTS, PUSHED],
  'heart-rate': ['heartRate', 'sample', 'health_metrics_and_measurements', ALL, PUSHED],
  'heart-rate-variability': [
    'heartRateVariability',
    'sample',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'daily-heart-rate-variability': [
    'dailyHeartRateVariability',
    'daily',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'daily-resting-heart-rate': [
    'dailyRestingHeartRate',
    'daily',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'oxygen-saturation': ['oxygenSaturation', 'sample', 'health_metrics_and_measurements', LISTS],
  'daily-oxygen-saturation': [
    'dailyOxygenSaturation',
    'daily',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'respiratory-rate-sleep-summary': [
    'respiratoryRateSleepSummary',
    'sample',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'daily-respiratory-rate': [
    'dailyRespiratoryRate',
    'daily',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'daily-sleep-temperature-derivations': [
    'dailySleepTemperatureDerivations',
    'daily',
    'health_metrics_and_measurements',
    LISTS,
    PUSHED,
  ],
  'core-body-temperature': [
    'coreBodyTemperature',
    'sample',
    'health_metrics_and_measurements',
    ALL,
  ],
  'blood-glucose': ['bloodGlucose', 'sample', 'health_metrics_and_measurements', ALL, PUSHED],
  weight: ['weight', 'sample', 'health_metrics_and_measurements', ALL, PUSHED],
  'body-fat': ['bodyFat', 'sample', 'health_metrics_and_measurements', ALL, PUSHED],
  height: ['height', 'sample', 'health_metrics_and_measurements', LISTS, PUSHED],
  'run-vo2-max': ['runVo2Max', 'sample', 'activity_and_fitness', LISTS, PUSHED],
  'vo2-max': ['vo2Max', 'sample', 'activity_and_fitness', LISTS],
  'daily-vo2-max': ['dailyVo2Max', 'daily', 'activity_and_fitness', LISTS],
  'hydration-log': ['hydrationLog', 'session', 'nutrition', LISTS, PUSHED],
  'nutrition-log': ['nutritionLog', 'session', 'nutrition', LISTS, PUSHED],
  exercise: ['exercise', 'session', 'activity_and_fitness', LISTS, PUSHED],
  sleep: [
    'sleep',
    'session',
    'sleep',
    LISTS,
    { ...PUSHED, filters: { 'interval.end_time': 'physical', 'interval.civil_end_time': 'civil' } },
  ],
  electrocardiogram: [
    'electrocardiogram',
    'session',
    'ecg',
    ['list'],
    { filters: { 'interval.start_time': 'physical' } },
  ],
  'irregular-rhythm-notification': ['irregularRhythmNotification', 'session', 'irn', ['list']],
}

/** The data types of the vendor that are emulated, by their names in addresses. */
export const DATA_TYPES: ReadonlyMap<string, DataType> = new Map(
  Object.entries(ROWS).map(([name, [field, kind, scope, methods, rest]]) => [
    name,
    { field, kind, scope, methods, filters: FILTERS[kind], ...rest },
  ]),
)

/** Full name of a scope. */
export const scopeName = (scope: string): string =>
  `https://www.googleapis.com/auth/googlehealth.${scope}.readonly`
