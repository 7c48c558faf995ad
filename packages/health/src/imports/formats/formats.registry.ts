import { ImportFileError } from '../files/import-file-error.ts'
import type { ImportFiles } from '../files/import-files.ts'
import type { ImportFormatList } from '../imports.schema.ts'
import { ACTIVITY_FILE } from './activity-file/activity-file.format.ts'
import { APPLE_HEALTH } from './apple-health/apple-health.format.ts'
import { CLARITY } from './clarity/clarity.format.ts'
import { CSV } from './csv/csv.format.ts'
import { FITBIT_TAKEOUT } from './fitbit-takeout/fitbit-takeout.format.ts'
import { GARMIN_EXPORT } from './garmin-export/garmin-export.format.ts'
import { HEALTH_AUTO_EXPORT } from './health-auto-export/health-auto-export.format.ts'
import { HEALTH_CONNECT } from './health-connect/health-connect.format.ts'
import type { ImportFormat } from './import-format.ts'
import { LIBREVIEW } from './libreview/libreview.format.ts'
import { MY_FITNESS_PAL } from './my-fitness-pal/my-fitness-pal.format.ts'
import { OURA } from './oura/oura.format.ts'
import { POLAR } from './polar/polar.format.ts'
import { SAMSUNG_HEALTH } from './samsung-health/samsung-health.format.ts'
import { STRAVA_ARCHIVE } from './strava-archive/strava-archive.format.ts'
import { WHOOP } from './whoop/whoop.format.ts'
import { WITHINGS } from './withings/withings.format.ts'

/**
 * All formats, in the order in which they are tried.
 */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  APPLE_HEALTH,
  HEALTH_AUTO_EXPORT,
  STRAVA_ARCHIVE,
  FITBIT_TAKEOUT,
  GARMIN_EXPORT,
  ACTIVITY_FILE,
  HEALTH_CONNECT,
  SAMSUNG_HEALTH,
  OURA,
  WHOOP,
  POLAR,
  LIBREVIEW,
  CLARITY,
  WITHINGS,
  MY_FITNESS_PAL,
  CSV,
]

/** Returns the format of a slug; undefined for an unknown one. */
export function findFormat(slug: string): ImportFormat | undefined {
  return IMPORT_FORMATS.find((format) => format.slug === slug)
}

/** Returns all formats as the API lists them. */
export const describeFormats = (): ImportFormatList['formats'] =>
  IMPORT_FORMATS.map(({ slug, title, howToExport, options, notes }) => ({
    ...{ slug, title, how_to_export: howToExport, options: [...options], notes: [...notes] },
  }))

/**
 * Returns the format of the files by their content. Activity files inside the export of an account
 * belong to it.
 * @throws ImportFileError `unknown_format`, with what the file looks like; `several_formats` for a
 *   zip of two exports, of which one would be left out
 */
export async function recognizeFormat(files: ImportFiles): Promise<ImportFormat> {
  const found: ImportFormat[] = []
  for (const format of IMPORT_FORMATS) if (await format.recognize(files)) found.push(format)
  const exports = found.filter((format) => format !== ACTIVITY_FILE)
  const [format = found[0], ...others] = exports
  if (others.length > 0) {
    const hint = `It has: ${exports.map(({ title, slug }) => `${title} (${slug})`).join(', ')}.`
    throw new ImportFileError('several_formats', { hint })
  }
  if (format !== undefined) return format
  const hint = await describeFiles(files)
  throw new ImportFileError('unknown_format', hint === undefined ? {} : { hint })
}

/** Kinds of files that people take for exports, by how their content begins. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'It is a PDF document. Lab reports are read by POST /lab_report/v1/parser/job.'],
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP/s, 'It is an image.'],
  [
    /^Rar!|^7z\xbc\xaf/,
    'It is an archive, but not a zip. Extract it, and import the files inside.',
  ],
  [/^\xd0\xcf/, 'It is a spreadsheet or document of Microsoft Office. Save it as CSV.'],
  [/^\s*<(!DOCTYPE )?html/i, 'It is a web page. The download may have needed a sign-in.'],
  [/^SQLite format 3/, 'It is a database of an app that is not known.'],
  [/<ClinicalDocument[\s>]/, 'It is a clinical document (CDA), such as export_cda.xml.'],
  [/^(\xef\xbb\xbf)?\s*<\?xml/, 'It is an XML file of another kind.'],
  [/^(\xef\xbb\xbf)?\s*[[{]/, 'It is JSON with other fields.'],
]

/** Says what a file looks like, in words of our own; undefined where nothing is known. */
async function describeFiles({ files }: ImportFiles): Promise<string | undefined> {
  const [first] = files
  if (first === undefined) return 'The zip file is empty.'
  if (first.path !== '') {
    const isOffice = files.some(({ path }) => path === '[Content_Types].xml')
    if (isOffice) return 'It is a spreadsheet or document of Microsoft Office. Save it as CSV.'
    return 'It is a zip file without files that are known.'
  }
  const opening = (await first.opening()).toString('latin1')
  if (opening === '') return 'The file is empty.'
  const kind = KINDS.find(([pattern]) => pattern.test(opening))
  if (kind !== undefined) return kind[1]
  const [line = ''] = opening.split(/\r?\n/, 1)
  const isTable = /[,;\t]/.test(line) && !opening.includes('\0')
  return isTable ? 'It is a table with other columns: a CSV template can map them.' : undefined
}
