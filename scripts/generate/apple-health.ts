import {
  BLOOD_PRESSURE,
  DIASTOLIC,
  RECORD_MAPPINGS,
  type RecordMapping,
  SYSTOLIC,
} from '../../packages/server/src/imports/apple-health/record-types.ts'
import { PUT_ASIDE_REASONS } from '../../packages/server/src/ingest/index.ts'
import { series } from '../../packages/server/src/series/index.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/** docs/apple-health.md: what an import takes from an export, and how it goes. */
export function describeAppleHealth(): string {
  return joinParts(
    generatedNotice('packages/server/src/imports/apple-health/record-types.ts'),
    '# Importing an Apple Health export',
    INTRODUCTION,
    '## How it works',
    HOW_IT_WORKS,
    '## What is imported',
    'Record types of HealthKit and the [series](series.md) they become. Values are converted to the unit of the series.',
    recordTypes(),
    '## What is not supported today',
    NOT_SUPPORTED,
    '## What is put aside',
    'A record that has a series but cannot be stored is put aside: it is kept as it came, with a reason, and `GET /v2/user/{user_id}/put_aside` lists it. The same reasons are used for uploads, so some of them never come from an export.',
    markdownTable(
      ['Reason', 'Meaning'],
      Object.entries(PUT_ASIDE_REASONS).map(([reason, meaning]) => [code(reason), meaning]),
    ),
  )
}

const INTRODUCTION = `On the iPhone: Health app → picture at the top right → *Export All Health Data*. That makes an \`export.zip\`. Then:

\`\`\`sh
salus import apple-health export.zip --client-user-id alex --create
\`\`\`

or without [the command line](cli.md), the file being the body of the request:

\`\`\`sh
curl -X POST -H "x-service-api-key: $SALUS_API_KEY" -H 'content-type: application/zip' \\
  --data-binary @export.zip http://127.0.0.1:8787/v2/user/$USER_ID/import/apple_health
\`\`\``

const HOW_IT_WORKS = `1. The file is taken as it is, \`export.zip\` or the \`export.xml\` inside, and stored. The answer is a job; \`GET /v2/user/{user_id}/import/{job_id}\` shows how far it is.
2. A worker reads the file as a stream, so memory does not grow with it, and one file of a person at a time.
3. The person is connected to \`apple_health_kit\` if that is not so yet.
4. Every record becomes a sample, or is counted as one of: put aside, not supported, out of bounds (the user's \`ingestion_start\` and \`ingestion_end\`), or merged (the diastolic half of a blood pressure). Nothing is dropped in silence: the counts of a record type add up to its records.
5. The uploaded file is deleted when the import has ended.

Importing the same export again changes nothing: its samples count as unchanged. A newer export adds what is new, and replaces what Apple has written again since. An import that is cut short, because the server stopped, begins again by itself.

A file that is no export, is encrypted, cut off or damaged fails the job with an \`error_message\`; what was read before the damage stays stored.`

const NOT_SUPPORTED = `These are counted in the result as \`not_supported\`, by type, and not stored:

- workouts (\`Workout\`); their routes, events and statistics are part of them
- activity summaries (\`ActivitySummary\`): the rings of each day
- clinical records (\`ClinicalRecord\`), audiograms, vision prescriptions
- correlations other than blood pressure, such as \`HKCorrelationTypeIdentifierFood\`; the records inside them count by themselves
- record types that have no series and so are missing above: resting heart rate (\`HKQuantityTypeIdentifierRestingHeartRate\`), walking heart rate average, walking speed and the other gait measures, cycling and swimming distance, exercise minutes, height, audio exposure, most nutrients, symptoms and cycle tracking
- time in bed (\`HKCategoryValueSleepAnalysisInBed\`), which is no stage of sleep

Not read and not counted: birth date, sex and blood type (\`Me\`), and the files beside the \`export.xml\` (electrocardiograms, routes, attachments).`

function recordTypes(): string {
  const rows = Object.entries(RECORD_MAPPINGS).map(([type, mapping]) => [
    code(type),
    code(mapping.series),
    code(series(mapping.series).unit),
    remarksOf(mapping).join('; '),
  ])
  const pressure = code(series('blood_pressure').unit)
  rows.push(
    [code(BLOOD_PRESSURE), code('blood_pressure'), pressure, 'one sample a reading'],
    [code(SYSTOLIC), code('blood_pressure'), pressure, 'joined with the diastolic half'],
    [code(DIASTOLIC), code('blood_pressure'), pressure, 'joined with the systolic half'],
  )
  return markdownTable(['Record type', 'Series', 'Unit', 'Remarks'], rows)
}

function remarksOf(mapping: RecordMapping): string[] {
  const { measure, isFraction, sampleType, sport, extra = {}, codes } = mapping
  const remarks: string[] = []
  if (measure === 'occurrence') remarks.push('each record counts 1')
  if (measure === 'duration') remarks.push('the value is the minutes from start to end')
  if (isFraction) remarks.push('0 to 1 in the export, stored as percent')
  if (sampleType !== undefined) remarks.push(`type ${code(sampleType)}`)
  if (sport !== undefined) remarks.push(`sport ${code(sport)}`)
  for (const [name, value] of Object.entries(extra)) remarks.push(`${name} ${code(value)}`)
  for (const [name, meaning] of Object.entries(codes ?? {})) {
    const stored = meaning.sampleType === undefined ? String(meaning.value) : meaning.sampleType
    remarks.push(`${code(name)} → ${code(stored)}`)
  }
  if (mapping.series === 'insulin_injection') {
    remarks.push('a bolus has the type `rapid_acting`; a basal dose is put aside (`missing_type`)')
  }
  return remarks
}
