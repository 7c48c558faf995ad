import { series } from '@salus/contracts/series'
import { QUARANTINE_REASONS } from '@salus/health/ingest'
import { FILE_FAULTS } from '../../packages/health/src/imports/apple-health/file-faults.ts'
import {
  BLOOD_PRESSURE,
  DIASTOLIC,
  RECORD_MAPPINGS,
  type RecordMapping,
  SYSTOLIC,
} from '../../packages/health/src/imports/apple-health/record-types.ts'
import { LocalTimeCounts } from '../../packages/health/src/imports/imports.schema.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/** docs/apple-health.md: what an import takes from an export, and how it goes. */
export function describeAppleHealth(): string {
  return joinParts(
    generatedNotice('packages/health/src/imports/apple-health/record-types.ts'),
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
    'A record, workout, electrocardiogram or route that cannot be stored is quarantined: it is kept as it came (of a route its path), with a reason, and `GET /v2/user/{user_id}/put_aside` lists it. The same reasons are used for uploads, so some of them never come from an export.',
    markdownTable(
      ['Reason', 'Meaning'],
      Object.entries({ ...QUARANTINE_REASONS, ...FILE_FAULTS }).map(([reason, meaning]) => [
        code(reason),
        meaning,
      ]),
    ),
  )
}

const INTRODUCTION = `On the iPhone: Health app → picture at the top right → *Export All Health Data*. That makes an \`export.zip\`. The one here is of a made-up person:

\`\`\`sh run
cp packages/health/src/imports/apple-health/fixtures/synthetic-30d-export.zip export.zip

npx salus import apple-health export.zip --client-user-id alex --create
\`\`\`

or without [the command line](cli.md), the file being the body of the request (\`SALUS_URL\`, \`KEY\` and \`USER_ID\` are those of [the tour](../README.md#five-minutes-with-curl)):

\`\`\`sh run
export JOB_ID=$(curl -sS -H "x-service-api-key: \${KEY:?}" -H 'content-type: application/zip' \\
  --data-binary @export.zip $SALUS_URL/v2/user/\${USER_ID:?}/import/apple_health \\
  | node -p "JSON.parse(require('fs').readFileSync(0)).id")

npx salus import follow \${JOB_ID:?} --user $USER_ID

curl -sS $SALUS_URL/v2/user/$USER_ID/put_aside -H "x-service-api-key: \${KEY:?}"
\`\`\`

What the command prints is shown in [the quickstart](quickstart.md#import-an-apple-health-export).`

const HOW_IT_WORKS = `1. The file is taken as it is, \`export.zip\` or the \`export.xml\` inside, and stored. The answer is a job; \`GET /v2/user/{user_id}/import/{job_id}\` shows how far it is.
2. A worker reads the file as a stream, so memory hardly grows with it, and one file of a person at a time. It reads it twice, the first time for what it tells as a whole: [where the person was](#whose-clock), and what its sources are.
3. The person is connected to \`apple_health_kit\` if that is not so yet.
4. Every record becomes a sample, or is counted as one of: quarantined, not supported, out of bounds (the user's \`ingestion_start\` and \`ingestion_end\`), or merged (a part of something else: the diastolic half of a blood pressure, the resting heart rate of a day). Nothing is dropped in silence: the counts of a record type add up to its records.
5. When the file is read to its end, [summaries](#summaries) are made; \`summaries\` in the job's progress counts them by resource.
6. The uploaded file is deleted when the import has ended.

Importing the same export again changes nothing: its samples and summaries count as unchanged. A newer export adds what is new, and replaces what Apple has written again since; an older one does not undo a newer one. An import that is cut short, because the server stopped, begins again by itself, ten times at most; then it has failed with \`gave_up\`, and its file is deleted.

A zip that expands to more than two hundred times its size (real ones: twenty to forty times) is refused with \`compressed_too_far\`, an XML above \`SALUS_IMPORT_MAX_BYTES\` with \`xml_too_large\`. The report has room for 300 record types; those after them are counted as \`other types\`.

**Sources.** A record that names no device, such as sleep of iOS 16 and 17, is of the device of its source, told from the rest of the file ([decision 6](decisions/0006-exports-have-no-bundle-ids.md)). The name that a person gave to a device is no id of anything that is stored; what an older import stored under it gets the id of today.

**Entries of one time.** Two records with everything the same are one. Of glucose, blood pressure, carbohydrates, caffeine, water, insulin and notes a source may tell several of one minute; they are as many samples, in an export and in one upload. Of all else the newest value of a time wins.

**What was deleted on the phone** is in a newer export no more. The job counts it as \`missing\`, by resource, and it stays. With \`?remove_missing=true\` (\`--remove-missing\`) it is removed, and the summaries made of it are taken back or made again. That covers the types and the time between first and last record of the export, and only what imports brought before; data that the phone sent itself, and what was typed in in the Health app, are left alone. The same holds for what an export says of a day beside samples (resting and walking heart rate, minutes of exercise, energy of the ring): a newer export without it leaves it, and it counts as missing of \`activity\` ([why](decisions/0051-facts-of-days-stay.md)). A damaged export, or one that is older than one imported before, removes nothing. No event tells of a removal.

A file that is no export, is encrypted, cut off or damaged fails the job with an \`error_message\`; what was read before the damage stays stored, with the summaries that it is enough for. Routes and electrocardiograms are not read then, and no sleep that is stored already is replaced.`

const LOCAL_TIMES = `A phone writes every time of an export in the offset of the place and day of the *export*: a walk at 23:30 in January, exported in July, is written \`00:30 +0200\`. Salus keeps the instant and tells by itself what the person's clock showed, for samples, days, nights, workouts and electrocardiograms alike. The first of these rules that applies decides; \`clocks\` in the job's progress, and the command line, say how many records each one told:`

const ABOUT_LOCAL_TIMES = `- **Set the user's \`fallback_time_zone\` before an import**, best by hand. It is the clock of all times for which the file names no zone, and most records name none. A zone that is set or put right later takes effect when the file is imported again.
- A zone speaks for the time between two records that name it, up to 30 days, halfway to a record of another zone up to 7 days away, and otherwise for 24 hours before and after. Nights and workouts of a watch name their zone.
- The offsets of a file are believed when there is more than one of them and no zone beside one contradicts it, as in files of other exporters.
- A record that is in two exports is one sample. The better known clock stays, whatever the order and the season of the exports.

Why these rules: [decision 21](decisions/0021-clock-of-apple-health.md).`

const SUMMARIES = `| Summary | Made of |
| --- | --- |
| \`workouts\` | \`Workout\` elements of every version of iOS, with the heart rates, and where the watch did not count them the steps, that are stored for their time |
| \`activity\` | one a day: \`ActivitySummary\` (active energy, exercise minutes) with the stored samples of the day; a day without that element is made of samples alone |
| \`sleep\` | \`HKCategoryTypeIdentifierSleepAnalysis\` records of all devices together, with the heart rate, its variability, the breathing rate and the wrist temperature of the night |
| \`body\` | weight, body fat, body mass index, lean body mass and waist of one source and minute together |
| \`electrocardiogram\` | the files in \`electrocardiograms/\`; the voltages become samples of \`electrocardiogram_voltage\` in mV, of the type \`lead_1\` |
| \`profile\` | birth date and sex of \`Me\`, and the last \`HKQuantityTypeIdentifierHeight\` |

**Workouts.** Distance is that of the sport, energy the active energy. Active time leaves out pauses, those of the person and those that the watch makes by itself. Heart rates are of the stored samples from start to end, else those that the workout names itself; a zone has the seconds until the next heart rate, at most a minute each, or twice the usual distance of the heart rates where that is longer, up to ten minutes: what measures each five minutes tells of the whole workout, and a gap in what measures each second stays one. The highest heart rate is 220 less the age at the workout, or 190 when there is no birth date. A route (\`workout-routes/*.gpx\`) becomes the map, with a second one of at most 100 points, the highest and lowest point, the top speed, and the climb where the workout does not name it: rises of 2 m and more. The stream of a workout has every second with a point of the route or a heart rate; what was not measured in a second is null. A workout without a route has a stream of heart rates.

**Days** are those of the person's [clock](#whose-clock). Steps, distance, floors, energy and wheelchair pushes count each instant once where a phone and a watch tell of the same time, as in merged timeseries. Resting and walking heart rate are Apple's own records of the day.

**Sleep.** The records of all devices are put together by rules that give the same sleeps whatever the order of the records and however often they come:

- Stages less than an hour apart are one sleep; an hour or more without any makes two. A nap stays a nap.
- At each instant one source tells: one that knows stages before one that does not, then a watch, a ring, …, a phone.
- Time in bed is no stage. It moves the beginning back to lying down and the end on to getting up, also where up to an hour lies between it and the first or last stage, and gives the latency: from lying down to the first sleep. A night that has nothing but time in bed is no sleep.
- Sleep without a stage counts as asleep, with the stage type -1. Awake time inside counts as awake. From 3 hours between first and last stage it is a \`long_sleep\`, else a \`short_sleep\`.
- A record of more than 24 hours makes no sleep.
- A night that a newer export tells otherwise replaces the older one, also where it begins at another time; the job counts it as \`replaced\`.

**Electrocardiograms** are read in any language of the phone, because lines are told by their place and form. What the watch found is known in the words of English, German, French, Spanish and languages alike; in others it is null, and \`raw\` has the words.`

const NOT_SUPPORTED = `These are counted in the result as \`not_supported\`, by type, and not stored:

- clinical records (\`ClinicalRecord\`), audiograms, vision prescriptions
- correlations other than blood pressure, such as \`HKCorrelationTypeIdentifierFood\`; the records inside them count by themselves
- record types that have no series and so are missing above: walking speed and the other gait measures, cycling and swimming distance outside of workouts, audio exposure, most nutrients, symptoms and cycle tracking
- routes where only the \`export.xml\` was sent, without the files beside it

Not read and not counted: the parts of workouts of several sports, laps and segments (they stay in \`raw\`), routes that old exports write into the \`export.xml\` itself, blood type and skin type, and attachments.`

function localTimeRules(): string {
  const rules = Object.entries(LocalTimeCounts.properties as Record<string, { description?: string }>)
  return markdownTable(
    ['Rule', 'Local time is told'],
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
