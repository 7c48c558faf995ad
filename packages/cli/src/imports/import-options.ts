import { type Command, Option } from 'commander'

/** What a file does not say itself, by the names of the API. */
export interface ImportOptions {
  time_zone?: string
  date_order?: string
  weight_unit?: string
  distance_unit?: string
  glucose_unit?: string
  energy_unit?: string
  aggregation?: string
  template_id?: string
  remove_missing?: boolean
}

type ValueOption = Exclude<keyof ImportOptions, 'template_id' | 'remove_missing'>

/** Options with a value, in the order of the help. */
const VALUES: Readonly<
  Record<ValueOption, { value: string; description: string; choices?: readonly string[] }>
> = {
  time_zone: {
    value: 'zone',
    description: 'IANA zone of local times, such as Europe/Berlin; or floating, without a zone',
  },
  date_order: {
    value: 'order',
    description: 'order of day and month in dates',
    choices: ['day_first', 'month_first', 'year_first'],
  },
  weight_unit: {
    ...{ value: 'unit', description: 'unit of weights without one' },
    choices: ['kg', 'lb', 'st'],
  },
  distance_unit: {
    ...{ value: 'unit', description: 'unit of distances without one' },
    choices: ['km', 'mi', 'm'],
  },
  glucose_unit: {
    ...{ value: 'unit', description: 'unit of glucose values without one' },
    choices: ['mg/dL', 'mmol/L'],
  },
  energy_unit: {
    ...{ value: 'unit', description: 'unit of energies without one' },
    choices: ['kcal', 'kJ', 'cal', 'J'],
  },
  aggregation: {
    ...{ value: 'time', description: 'time over which Health Auto Export summed values' },
    choices: ['minutes', 'hours', 'days'],
  },
}

const NAMES = Object.keys(VALUES) as ValueOption[]
const dashed = (name: string): string => name.replaceAll('_', '-')
const camel = (name: string): string => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())

/** Adds an option to a command for each option of an import, apart from the template. */
export function addImportOptions(command: Command): Command {
  for (const name of NAMES) {
    const { value, description, choices } = VALUES[name]
    const option = new Option(`--${dashed(name)} <${value}>`, description)
    command.addOption(choices === undefined ? option : option.choices([...choices]))
  }
  return command
}

/** Returns the options that were given, by the names of the API. */
export function readImportOptions(given: object): ImportOptions {
  const values = given as Record<string, string | boolean | undefined>
  const known = NAMES.flatMap((name) => {
    const value = values[camel(name)]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(known),
    ...(values.removeMissing === true && { remove_missing: true }),
  }
}

/** Returns the option of the command line that answers a question. */
export function flagOf(option: string): string {
  return option === 'template_id' ? '--template' : `--${dashed(option)}`
}
