import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { zoneOf } from '../../import-options.ts'
import { exportVersion } from '../../running/export-version.ts'
import type { ImportFormat } from '../import-format.ts'
import { type ExportItem, OPENING, readItems } from './export-items.ts'
import type { PointSettings } from './metric-points.ts'

async function exportsOf({ files }: ImportFiles): Promise<ImportFile[]> {
  const found: ImportFile[] = []
  for (const file of files) {
    if (file.name !== '' && !file.name.endsWith('.json')) continue
    if (OPENING.test((await file.opening()).toString('utf8'))) found.push(file)
  }
  return found
}

/** Metrics that have a reader of their own. */
const SLEEP = 'sleep_analysis'
const PRESSURE = 'blood_pressure'

/** Exports of the app Health Auto Export, as a file and as the app posts them. */
export const HEALTH_AUTO_EXPORT: ImportFormat = {
  slug: 'health_auto_export',
  title: 'JSON of the app Health Auto Export',
  howToExport:
    'In the app Health Auto Export: an automation of the type REST API with the address of the person, or a manual export as JSON.',
  provider: 'apple_health_kit',
  notes: [
    'Sums and means are those that HealthKit computes over all devices: they are one source, `health_auto_export`. Single samples, which the app sends without aggregation, have the source of their device.',
    'Beside an import of the same health data from Apple Health, merged reads count every instant once; grouped reads show both sources.',
    'The file does not say over which time values are summed: it is what the dates prove, or the option `aggregation`. Sums whose time is not known are quarantined.',
    'The heart rate of whole days, resting and walking rates become summaries of days. Variability is SDNN and named so.',
    'Symptoms, states of mind, medications, cycles and electrocardiograms are left out.',
  ],
  options: ['aggregation', 'time_zone'],
  async recognize(files) {
    return files.files.length <= 1000 && (await exportsOf(files)).length > 0
  },
  async read({ files, options, now, stores, signal }, out) {
    const { DayRates } = await import('./day-rates.ts')
    const { addPoint, addPressure, metricTypeOf } = await import('./metric-points.ts')
    const { Sleeps } = await import('./sleeps.ts')
    const { surveyExport } = await import('./survey.ts')
    const { addWorkout } = await import('./workouts.ts')
    for (const file of await exportsOf(files)) {
      const { metrics, newest, aggregation, midnights } = await surveyExport(file, now)
      const settings: PointSettings = {
        aggregation: options.aggregation ?? aggregation,
        zone: zoneOf(options),
        midnights,
        now,
        // A later posting of the same values replaces an earlier one.
        modifiedAt: newest === null ? undefined : exportVersion(newest, now.getTime()),
      }
      const days = new DayRates(out, settings)
      const sleeps = new Sleeps(out, settings)
      const add = (item: ExportItem): void => {
        if (item.kind === 'workout') addWorkout(out, item.value, settings)
        else if (item.kind === 'other') out.type('other lists', null).countNotSupported()
        else if (item.kind === 'point') {
          const metric = metrics[item.metric]
          if (metric === undefined) throw new ImportFileError('malformed_json')
          const { name, units } = metric
          const type = metricTypeOf(name)
          if (name === SLEEP) sleeps.add(units, item.value)
          else if (name === PRESSURE) addPressure(out, units, item.value, settings)
          else if (days.has(name)) days.add(metric, item.value)
          else if (type !== undefined) addPoint(out, { name, units, type }, item.value, settings)
          else out.type('other metrics', null).countNotSupported()
        }
      }
      for await (const items of readItems(file)) {
        signal.throwIfAborted()
        for (const item of items) add(item)
        await out.settle()
      }
      await days.store()
      await sleeps.store(stores)
    }
  },
}
