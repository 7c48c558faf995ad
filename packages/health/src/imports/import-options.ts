import { Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import type { CsvTemplate } from './formats/csv/csv-template.schema.ts'

/** Value of `time_zone` for local times that stay without a zone. */
export const FLOATING = 'floating'

const DATE_ORDERS = ['day_first', 'month_first', 'year_first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** What a file does not say itself. */
export const ImportOptions = Type.Object(
  {
    time_zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'IANA zone in which the file has its local times, such as Europe/Berlin, or `floating` for local times without a zone. By default the fallback time zone of the user.',
      }),
    ),
    date_order: Type.Optional(
      Type.Enum([...DATE_ORDERS], { description: 'Order of day and month in the dates.' }),
    ),
    weight_unit: Type.Optional(
      Type.Enum(['kg', 'lb', 'st'], { description: 'Unit of weights that have none in the file.' }),
    ),
    distance_unit: Type.Optional(
      Type.Enum(['km', 'mi', 'm'], {
        description: 'Unit of distances that have none in the file.',
      }),
    ),
    glucose_unit: Type.Optional(
      Type.Enum(['mg/dL', 'mmol/L'], {
        description: 'Unit of glucose values that have none in the file.',
      }),
    ),
    energy_unit: Type.Optional(
      Type.Enum(['kcal', 'kJ', 'cal', 'J'], {
        description: 'Unit of energies that have none in the file.',
      }),
    ),
    aggregation: Type.Optional(
      Type.Enum(['minutes', 'hours', 'days'], {
        description: 'Time over which the app Health Auto Export summed the values of the file.',
      }),
    ),
    template_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Id of the template by which a CSV file is read.',
      }),
    ),
    remove_missing: Type.Optional(
      Type.Boolean({
        description:
          'Removes data that earlier imports of the format brought and this file lacks. Only the types and the time range of this file are affected. Only formats that hold a whole account understand it.',
      }),
    ),
  },
  { title: 'ImportOptions' },
)
/** Options, with the template that a CSV file is read by. */
export type ImportOptions = Type.Static<typeof ImportOptions> & { template?: CsvTemplate }

/** An option that the file needs and that was not given. */
export const ImportQuestion = Type.Object(
  {
    option: Type.String({ description: 'Name of the option.' }),
    reason: Type.String({ description: 'Reason for which the file alone is not enough.' }),
    choices: Nullable(
      Type.Array(Type.String(), { description: 'Possible values; null for a zone or an id.' }),
    ),
  },
  { title: 'ImportQuestion' },
)
export type ImportQuestion = Type.Static<typeof ImportQuestion>

/** The question of formats with local times, which a fallback zone of the user also answers. */
export const ASK_TIME_ZONE: ImportQuestion = {
  option: 'time_zone',
  reason: 'The file has local times without a zone, and the user has no fallback time zone.',
  choices: null,
}

export const ASK_DATE_ORDER: ImportQuestion = {
  option: 'date_order',
  reason: 'Every date of the file is valid with the day first and with the month first.',
  choices: [...DATE_ORDERS.slice(0, 2)],
}

/** Whether local times have a zone or are to stay without one. */
export const hasTimeZone = ({ time_zone }: ImportOptions): boolean => time_zone !== undefined

/** Returns the IANA zone of the options; null for local times without one. */
export const zoneOf = ({ time_zone }: ImportOptions): string | null =>
  time_zone === undefined || time_zone === FLOATING ? null : time_zone
