import type { ImportFile } from '../../files/import-files.ts'
import { ASK_DATE_ORDER, type ImportOptions, type ImportQuestion } from '../../import-options.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { orderShownBy } from './strava-dates.ts'
import {
  cellOf,
  openStravaTable,
  readStravaLayout,
  SHOWN_IN_METERS,
  tablesOf,
} from './strava-table.ts'

const MEMBER = /(?:^|\/)activities\/[^/]+\.(?:fit|tcx|gpx)(?:\.gz)?$/i

const ASK_DISTANCE_UNIT: ImportQuestion = {
  option: 'distance_unit',
  reason: 'The table has only the distance that the app showed, without its unit.',
  choices: ['km', 'mi', 'm'],
}

/** The archive that Strava sends to the owner of an account. */
export const STRAVA_ARCHIVE: ImportFormat = {
  slug: 'strava_archive',
  title: 'Archive of Strava',
  howToExport:
    'On strava.com: Settings, My Account, Download or Delete Your Account, Request Your Archive. Strava sends an e-mail with the address of the zip.',
  provider: 'strava',
  notes: [
    'Each row of activities.csv becomes a workout. Its id is that of the Strava interface, so that a connection of Strava has the same workout.',
    'The files of the activities (FIT, TCX and GPX) add the stream, heart rates and distances, and the local time of a FIT file.',
    'Times of the table are in UTC. Without a FIT file the offset from UTC is unknown.',
    'Names of activities are kept as titles. Descriptions, notes, the profile, contacts and messages are not read.',
    'Tables in other languages are read by the order of their columns; a type that is translated is taken from the file of the activity.',
  ],
  options: ['date_order', 'distance_unit'],
  async recognize({ files, select }) {
    for (const file of tablesOf(files)) {
      const layout = await readStravaLayout(file)
      if (layout !== undefined) return layout.isEnglish || file.path !== ''
      if (file.path !== '' && select(MEMBER).length > 0) return true
    }
    return false
  },
  async ask({ files, options }) {
    const [file] = tablesOf(files.files)
    if (file === undefined) return []
    const { isDistanceShown, orders } = await survey(file)
    return [
      ...(orders === 'unknown' && options.date_order === undefined ? [ASK_DATE_ORDER] : []),
      ...(isDistanceShown && options.distance_unit === undefined ? [ASK_DISTANCE_UNIT] : []),
    ]
  },
  async read(context, out) {
    const { StravaActivities } = await import('./strava-activities.ts')
    const [file] = tablesOf(context.files.files)
    if (file === undefined) return
    out.exportedAt = file.writtenAt
    const { orders } = await survey(file)
    const order = orders === 'unknown' ? context.options.date_order : orders
    const table = await openStravaTable(file)
    const activities = new StravaActivities(context, out, {
      table,
      order,
      folder: folderOf(context),
    })
    for await (const rows of table.table.batches()) {
      for (const row of rows) await activities.add(row)
      await out.settle()
    }
  },
}

/** Returns the files of activities by their names. */
function folderOf({ files }: ImportContext): ReadonlyMap<string, ImportFile> {
  return new Map(files.select(MEMBER).map((file) => [file.name, file]))
}

/**
 * Reads the dates of a table, for the order of day and month that they show, and whether a distance
 * has the unit of the display.
 */
async function survey(file: ImportFile): Promise<{
  isDistanceShown: boolean
  orders: ImportOptions['date_order'] | 'unknown'
}> {
  const table = await openStravaTable(file)
  let orders: ReturnType<typeof orderShownBy>
  let isDistanceShown = false
  for await (const rows of table.table.batches()) {
    for (const row of rows) {
      isDistanceShown ||=
        table.isDistanceShown &&
        cellOf(row, table, 'distance') !== '' &&
        !SHOWN_IN_METERS.test(cellOf(row, table, 'type'))
      const shown = orderShownBy(cellOf(row, table, 'date'))
      if (shown !== undefined && (orders === undefined || orders === 'unknown')) orders = shown
    }
  }
  return { isDistanceShown, orders }
}
