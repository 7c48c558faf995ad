import { series } from '@salus/contracts/series'
import { QUARANTINE_REASONS } from '@salus/health/ingest'
import { FILE_FAULTS } from '../../packages/health/src/imports/formats/apple-health/file-faults.ts'
import {
  BLOOD_PRESSURE,
  DIASTOLIC,
  RECORD_MAPPINGS,
  type RecordMapping,
  SYSTOLIC,
} from '../../packages/health/src/imports/formats/apple-health/record-types.ts'
import { LocalTimeCounts } from '../../packages/health/src/imports/imports.schema.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/** Generates docs/apple-health.md: the data that an import stores, and its rules. */
export function describeAppleHealth(): string {
  return joinParts(
    generatedNotice('packages/health/src/imports/formats/apple-health/record-types.ts'),
    '# Importing an Apple Health export',
    INTRODUCTION,
    '## How it works',
    HOW_IT_WORKS,
    '## Whose clock',
    LOCAL_TIMES,
    localTimeRules(),
    ABOUT_LOCAL_TIMES,
    '## What is imported',
    'Record types of HealthKit and the [series](series.md) they become. Values are converted to the unit of the series.',
    recordTypes(),
    '## Summaries',
    SUMMARIES,
    '## What is not supported today',
    NOT_SUPPORTED,
    '## What is quarantined',
    'A record, workout, electrocardiogram or route that cannot be stored is quarantined: it is kept unchanged (a route by its path) with a reason, and `GET /v2/user/{user_id}/put_aside` lists it. Uploads have the same reasons, so some of them never occur in an export.',
    markdownTable(
      ['Reason', 'Meaning'],
      Object.entries({ ...QUARANTINE_REASONS, ...FILE_FAULTS }).map(([reason, meaning]) => [
        code(reason),
        meaning,
      ]),
    ),
  )
}

const INTRODUCTION = `On the iPhone: Health app → picture at the top right → *Export All Health Data*. This creates an \`export.zip\`. The example is of a made-up person:

\`\`\`sh run
cp packages/health/src/imports/formats/apple-health/fixtures/synthetic-30d-export.zip export.zip

npx salus import apple-health export.zip --client-user-id alex --create
\`\`\`

or without [the command line](cli.md), with the file as the body of the request (\`SALUS_URL\`, \`KEY\` and \`USER_ID\` are those of [the tour](../README.md#five-minutes-with-curl)):

\`\`\`sh run
export JOB_ID=$(curl -sS -H "x-service-api-key: \${KEY:?}" -H 'content-type: application/zip' \\
  --data-binary @export.zip $SALUS_URL/v2/user/\${USER_ID:?}/import/apple_health \\
  | node -p "JSON.parse(require('fs').readFileSync(0)).id")

npx salus import follow \${JOB_ID:?} --user $USER_ID

curl -sS $SALUS_URL/v2/user/$USER_ID/put_aside -H "x-service-api-key: \${KEY:?}"
\`\`\`

The output of the command is shown in [the quickstart](quickstart.md#import-an-apple-health-export).

## Uploads that can be resumed

A body is lost as a whole when the connection breaks. The command line and the console send large files in parts instead, by the [tus protocol 1.0](https://tus.io/protocols/resumable-upload), which any tus client can do as well: the endpoint is \`/v2/user/{user_id}/import/uploads\`, with the key in a header. An upload survives lost connections and restarts of the server, and is removed when it has not grown for 24 hours. The import then names it instead of a body:

\`\`\`sh run
export UPLOAD_ID=$(curl -sS -X POST -H "x-service-api-key: \${KEY:?}" -H 'tus-resumable: 1.0.0' \\
  -H "upload-length: $(wc -c < export.zip)" $SALUS_URL/v2/user/$USER_ID/import/uploads \\
  | node -p "JSON.parse(require('fs').readFileSync(0)).id")

curl -sS -X PATCH -H "x-service-api-key: \${KEY:?}" -H 'tus-resumable: 1.0.0' -H 'upload-offset: 0' \\
  -H 'content-type: application/offset+octet-stream' --data-binary @export.zip \\
  $SALUS_URL/v2/user/$USER_ID/import/uploads/\${UPLOAD_ID:?}

curl -sS -X POST -H "x-service-api-key: \${KEY:?}" \\
  "$SALUS_URL/v2/user/$USER_ID/import/apple_health?upload_id=\${UPLOAD_ID:?}"
\`\`\`

After a break \`HEAD\`, or \`GET\`, returns the number of bytes that the server has, and the next \`PATCH\` begins there. [The contract](contract/07-mobile-sync.md#post-v2useruser_idimportuploads) has the details.`

const HOW_IT_WORKS = `1. The request stores the file, \`export.zip\` or the \`export.xml\` inside, and returns a job; \`GET /v2/user/{user_id}/import/{job_id}\` returns its progress.
2. A worker reads the file as a stream, so memory hardly grows with its size, and one file of a person at a time. It reads the file twice, the first time for [the local times of the person](#whose-clock) and the sources.
3. The person is connected to \`apple_health_kit\`, unless they are already.
4. Every record becomes a sample, or is counted as one of: quarantined, not supported, out of bounds (the user's \`ingestion_start\` and \`ingestion_end\`), or merged (a part of something else: the diastolic half of a blood pressure, the resting heart rate of a day). The counts of a record type add up to its records.
5. At the end of the file, [summaries](#summaries) are computed; \`summaries\` in the job's progress counts them by resource.
6. The uploaded file is deleted when the import has ended.

Importing the same export again has no effect: its samples and summaries count as unchanged. A newer export adds new data, and replaces data that Apple has written again since; an older one does not undo a newer one. An import that is interrupted because the server stopped restarts by itself, ten times at most; then it fails with \`gave_up\`, and its file is deleted.

A zip that expands to more than two hundred times its size (real ones expand to twenty to forty times) is refused with \`compressed_too_far\`, an XML above \`SALUS_IMPORT_MAX_BYTES\` with \`xml_too_large\`. The report lists 300 record types; further types are counted as \`other types\`.

**Sources.** A record that names no device, such as sleep of iOS 16 and 17, gets the device of its source, which other records of the file name ([decision 6](decisions/0006-exports-have-no-bundle-ids.md)). The name that a person gave to a device is not part of an id; data that an older import stored under such a name get the current id.

**Entries of one time.** Two identical records are one sample. A source may have several records of one minute for glucose, blood pressure, carbohydrates, caffeine, water, insulin and notes; each is a sample, in an export and in an upload. For all other types the newest value of a time counts.

**Data deleted on the phone** are missing in a newer export. The job counts them as \`missing\`, by resource, and they stay. With \`?remove_missing=true\` (\`--remove-missing\`) they are removed, and their summaries are removed or computed again. This covers the types of the export and the time between its first and last record, and only data of earlier imports; data that the phone sent itself, and entries in the Health app, are not removed. The same applies to facts of a day beside samples (resting and walking heart rate, minutes of exercise, energy of the ring): a newer export without them leaves them, and they count as missing of \`activity\` ([why](decisions/0051-facts-of-days-stay.md)). A damaged export, or one that is older than an imported one, removes nothing. A removal causes no event.

A file that is not an export, is encrypted, cut off or damaged fails the job with an \`error_message\`; data before the damage stay stored, with the summaries for which they suffice. Routes and electrocardiograms are not read then, and stored sleeps are not replaced.`

const LOCAL_TIMES = `A phone writes every time of an export in the offset of the place and day of the *export*: a walk at 23:30 in January, exported in July, is written \`00:30 +0200\`. Salus stores the instant and derives the local time of the person, for samples, days, nights, workouts and electrocardiograms alike. The first of these rules that applies decides; \`clocks\` in the job's progress, and the command line, count the records of each rule:`

const ABOUT_LOCAL_TIMES = `- **Set the user's \`fallback_time_zone\` before an import**, preferably by hand. It applies to all times for which the file names no zone, and most records name none. A zone that is set or corrected later takes effect when the file is imported again.
- A zone applies to the time between two records that name it, up to 30 days, halfway to a record of another zone up to 7 days away, and otherwise for 24 hours before and after. Nights and workouts of a watch name their zone.
- The offsets of a file are used if there are several and no zone of a record contradicts its offset, as in files of other exporters.
- A record that is in two exports is one sample. The local time of the higher rule stays, whatever the order and the season of the exports.

Why these rules: [decision 21](decisions/0021-clock-of-apple-health.md).`

const SUMMARIES = `| Summary | Computed from |
| --- | --- |
| \`workouts\` | \`Workout\` elements of every version of iOS, with the stored heart rates of their time, and the stored steps where the watch did not count them |
| \`activity\` | one a day: \`ActivitySummary\` (active energy, exercise minutes) with the stored samples of the day; a day without that element is computed from samples alone |
| \`sleep\` | \`HKCategoryTypeIdentifierSleepAnalysis\` records of all devices together, with the heart rate, its variability, the breathing rate and the wrist temperature of the night |
| \`body\` | weight, body fat, body mass index, lean body mass and waist of one source and minute together |
| \`electrocardiogram\` | the files in \`electrocardiograms/\`; the voltages become samples of \`electrocardiogram_voltage\` in mV, of the type \`lead_1\` |
| \`profile\` | birth date and sex of \`Me\`, and the last \`HKQuantityTypeIdentifierHeight\` |

**Workouts.** Distance is that of the sport, energy the active energy. Active time leaves out pauses, those of the person and those that the watch makes by itself. Heart rates are computed from the stored samples from start to end, else taken from the workout; a zone has the seconds until the next heart rate, at most a minute each, or twice the usual distance of the heart rates where that is longer, up to ten minutes: a device that measures every five minutes covers the whole workout, and a gap of a device that measures every second stays a gap. The highest heart rate is 220 less the age at the workout, or 190 when there is no birth date. A route (\`workout-routes/*.gpx\`) becomes the map, with a second one of at most 100 points, the highest and lowest point, the top speed, and the climb if the workout does not contain it: rises of 2 m and more. The stream of a workout has every second with a point of the route or a heart rate; values that were not measured in a second are null. A workout without a route has a stream of heart rates.

**Days** are [local to the person](#whose-clock). Steps, distance, floors, energy and wheelchair pushes count each instant once where a phone and a watch cover the same time, as in merged time series. Resting and walking heart rate are Apple's own records of the day.

**Sleep.** The records of all devices are joined by rules whose result depends neither on the order of the records nor on repetitions:

- Stages less than an hour apart are one sleep; an hour or more without any separates two. A nap stays a separate sleep.
- At each instant one source counts: one with stages before one without, then a watch, a ring, …, a phone.
- Time in bed is not a stage. It extends a sleep to lying down and getting up, even if up to an hour lies between it and the first or last stage, and determines the latency: from lying down to the first sleep. A night with only time in bed is not a sleep.
- Sleep without a stage counts as asleep, with the stage type -1. Awake time inside counts as awake. From 3 hours between first and last stage it is a \`long_sleep\`, else a \`short_sleep\`.
- A record of more than 24 hours is not used for sleeps.
- A night that differs in a newer export replaces the older one, even if it begins at another time; the job counts it as \`replaced\`.

**Electrocardiograms** are read in any language of the phone, because lines are identified by their place and form. The classification of the watch is recognized in English, German, French, Spanish and similar languages; in others it is null, and \`raw\` contains its text.`

const NOT_SUPPORTED = `These types are counted in the result as \`not_supported\`, and are not stored:

- clinical records (\`ClinicalRecord\`), audiograms, vision prescriptions
- correlations other than blood pressure, such as \`HKCorrelationTypeIdentifierFood\`; the records inside them are imported by themselves
- record types without a series, which are missing above: walking speed and the other gait measures, cycling and swimming distance outside of workouts, audio exposure, most nutrients, symptoms and cycle tracking
- routes, if only the \`export.xml\` was sent, without the files beside it

These parts are neither read nor counted: the parts of workouts of several sports, laps and segments (they stay in \`raw\`), routes that old exports write into the \`export.xml\` itself, blood type and skin type, and attachments.`

function localTimeRules(): string {
  const rules = Object.entries(
    LocalTimeCounts.properties as Record<string, { description?: string }>,
  )
  return markdownTable(
    ['Rule', 'Origin of the local time'],
    rules.map(([rule, { description }]) => [code(rule), description ?? '']),
  )
}

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
    remarks.push(
      'a bolus has the type `rapid_acting`; a basal dose is quarantined (`missing_type`)',
    )
  }
  return remarks
}
