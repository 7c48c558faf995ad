import { gzipSync } from 'node:zlib'
import { buildFit, fitTime } from './build-fit.ts'
import { buildHealthConnect } from './health-connect-file.ts'
import { zipOf } from './map-content.ts'

export type Content = string | Buffer
export type Files = Readonly<Record<string, Content>>

const json = (value: unknown): string => JSON.stringify(value)
const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`

const at = (seconds: number) => fitTime(Date.parse('2026-04-30T07:00:00Z') + seconds * 1000)
const FIT = buildFit([
  ['file_id', { type: 4, manufacturer: 1, product: 1036 }],
  ['record', { timestamp: at(0), rate: 120, distance: 0 }],
  ['session', { start: at(0), sport: 2, elapsed: 60, distance: 400 }],
])
const GPX =
  '<?xml version="1.0"?><gpx version="1.1" creator="x"><trk><trkseg><trkpt lat="1" lon="2"><time>2026-04-30T07:00:00Z</time></trkpt></trkseg></trk></gpx>'
const TCX =
  '<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities/></TrainingCenterDatabase>'
const APPLE =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record)>\n]>\n<HealthData locale="de_AT"></HealthData>'

const STRAVA = lines(
  'Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance',
  '1,"Apr 30, 2026, 7:00:00 AM",Loop,Ride,,60,0.4,,,,,,activities/1.gpx,,,60,60,400',
)
const WHOOP = lines(
  'Cycle start time,Cycle end time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Energy burned (cal),Sleep onset,Wake onset',
  '2025-03-29 22:50:00,2025-03-30 23:05:00,UTC+02:00,66,51,2451,2025-03-29 22:50:00,2025-03-30 06:40:00',
)
const WHOOP_WORKOUTS = lines(
  'Startzeit des Zyklus;Endzeit des Zyklus;Zeitzone des Zyklus;Startzeit des Trainings;Endzeit des Trainings;Name der Aktivität',
  '2025-03-29 22:50:00;;UTC+02:00;2025-03-30 18:00:00;2025-03-30 18:45:00;Laufen',
)
const OURA_SLEEP = lines(
  'id;average_breath;bedtime_end;bedtime_start;day;efficiency;sleep_phase_5_min;total_sleep_duration;type',
  'n1;14.2;2025-10-26T06:00:00+01:00;2025-10-25T23:00:00+02:00;2025-10-26;92;4421;27000;long_sleep',
)
const OURA_DAY = lines(
  'id;active_calories;class_5_min;contributors;day;equivalent_walking_distance;score;steps;timestamp;total_calories',
  'a1;412;"0";"{}";2025-10-26;8123;80;9000;2025-10-26T04:00:00+01:00;2400',
)
const OURA_RATES = lines('bpm;source;timestamp', '61;awake;2025-10-26T06:00:00+00:00')
const SAMSUNG = [
  '\ufeffcom.samsung.shealth.tracker.heart_rate,6322030,1',
  'com.samsung.health.heart_rate.start_time,com.samsung.health.heart_rate.heart_rate,com.samsung.health.heart_rate.datauuid',
  '2025-04-01 10:00:00.000,61,u1,',
].join('\r\n')
const POLAR_TRAINING = json({
  exportVersion: '1.6',
  name: 'Running',
  startTime: '2026-05-01T07:30:12.000',
  stopTime: '2026-05-01T07:30:18.000',
  timezoneOffset: 120,
  duration: 'PT6S',
  exercises: [{ sport: 'RUNNING', samples: {} }],
})
const POLAR_DAY = json({ date: '2026-05-01', summary: { stepCount: 9000, stepsDistance: 7000 } })
const POLAR_RATES = json({
  deviceDays: [{ userId: 1, date: '2026-05-01', samples: [{ heartRate: 60 }] }],
})
const HEALTH_CONNECT = buildHealthConnect({
  application_info_table: [{ row_id: 1, package_name: 'com.example.walk' }],
  steps_record_table: [{ row_id: 1, count: 5, start_time: 1, end_time: 2, app_info_id: 1 }],
})
const AUTO_EXPORT = json({ data: { metrics: [], workouts: [] } })
/** Workouts of the app have lists with names that other exports have, too. */
const AUTO_WORKOUT = {
  ...{ id: 'A', name: 'Running', start: '2026-05-01 07:00:00 +0200', duration: 60 },
  ...{
    end: '2026-05-01 07:01:00 +0200',
    stepCount: [{ date: '2026-05-01 07:00:00 +0200', qty: 5 }],
  },
  ...{ heartRateData: [{ date: '2026-05-01 07:00:00 +0200', Avg: 120 }], exercises: [] },
  ...{ route: [{ latitude: 1, longitude: 2, timestamp: '2026-05-01 07:00:00 +0200' }] },
}
const AUTO_WORKOUTS = json({ data: { workouts: [AUTO_WORKOUT, AUTO_WORKOUT] } })
export const LIBREVIEW = lines(
  'Glucose Data,Created on,13-03-2025 20:00 UTC,Created by,Ada Moreau',
  'Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL,Non-numeric Rapid-Acting Insulin,Rapid-Acting Insulin (units),Non-numeric Food,Carbohydrates (grams),Carbohydrates (servings),Non-numeric Long-Acting Insulin,Long-Acting Insulin (units),Notes,Strip Glucose mg/dL,Ketone mmol/L,Meal Insulin (units),Correction Insulin (units),User Change Insulin (units)',
  'FreeStyle LibreLink,A-1,13-03-2025 13:05,0,101,,,,,,,,,,,,,,',
)
export const CLARITY = lines(
  'Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,Glucose Value (mg/dL)',
  '1,2025-03-13T11:24:17,EGV,,,,iPhone G6,101',
)
const WITHINGS = lines(
  'Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)",Comments',
  '"2025-05-02 07:00:00",80.00,16.00,3.20,',
)
const MEALS = lines(
  'Date,Meal,Calories,Fat (g),Carbohydrates (g),Protein (g)',
  '2025-05-01,Breakfast,600,10,60,10',
)
const FITBIT_STEPS = json([{ dateTime: '05/01/23 05:00:00', value: '12' }])
const FITBIT_RATES = json([{ dateTime: '05/01/23 05:00:00', value: { bpm: 61, confidence: 2 } }])
const GARMIN_DAYS = json([
  { calendarDate: '2026-02-15', totalSteps: 9000, totalKilocalories: 2400 },
])
const GARMIN_NIGHTS = json([
  { sleepStartTimestampGMT: '2026-02-14T22:00:00.0', calendarDate: '2026-02-15' },
])

const GARMIN = {
  'x/DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026-02-01_2026-03-01.json': GARMIN_DAYS,
  'x/DI_CONNECT/DI-Connect-Wellness/2026-01-01_2026-04-01_1_sleepData.json': GARMIN_NIGHTS,
  'x/DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip': zipOf({ 'a_1.fit': FIT }),
}
const POLAR = {
  'training-session-2026-05-01-1-0f8b2a8e.json': POLAR_TRAINING,
  'activity-2026-05-01-0f8b2a8e.json': POLAR_DAY,
  '247ohr_1_5-0f8b2a8e.json': POLAR_RATES,
  'account-data-0f8b2a8e.json': json({ username: 'x' }),
}
export const OURA = {
  'App Data/sleepmodel.csv': OURA_SLEEP,
  'App Data/dailyactivity.csv': OURA_DAY,
  'App Data/heartrate.csv': OURA_RATES,
  'App Data/temperature.csv': 'timestamp;skin_temp\n',
}
export const WHOOP_ZIP = {
  'my_whoop_data_2025_04_01/physiological_cycles.csv': WHOOP,
  'my_whoop_data_2025_04_01/trainings.csv': WHOOP_WORKOUTS,
}
const SAMSUNG_ZIP = {
  'samsunghealth_jane_20250401120000/com.samsung.shealth.tracker.heart_rate.2025.csv': SAMSUNG,
  'samsunghealth_jane_20250401120000/jsons/com.samsung.shealth.stress/a/a.binning_data.json': json([
    { start_time: 1, end_time: 2, score: 3 },
  ]),
}
const FITBIT = {
  'Takeout/Fitbit/Global Export Data/steps-2023-05-01.json': FITBIT_STEPS,
  'Takeout/Fitbit/Global Export Data/heart_rate-2023-05-01.json': FITBIT_RATES,
  'Takeout/archive_browser.html': '<html></html>',
}

/** Exports, whole or in part, by the format that they have. */
export const EXPORTS: readonly (readonly [slug: string, name: string, content: Content | Files])[] =
  [
    ['apple_health', 'its XML', APPLE],
    [
      'apple_health',
      'its zip with routes',
      {
        'apple_health_export/Export.xml': APPLE,
        'apple_health_export/export_cda.xml': '<?xml version="1.0"?><ClinicalDocument/>',
        'apple_health_export/workout-routes/route_1.gpx': GPX,
        'apple_health_export/workout-routes/route_2.gpx': GPX,
      },
    ],
    ['strava_archive', 'its table', STRAVA],
    [
      'strava_archive',
      'its zip',
      {
        'export_1/activities.csv': STRAVA,
        'export_1/activities/1.gpx': GPX,
        'export_1/activities/2.fit.gz': gzipSync(FIT),
        'export_1/activities/3.tcx.gz': gzipSync(TCX),
      },
    ],
    ['fitbit_takeout', 'its zip', FITBIT],
    ['fitbit_takeout', 'a list of it', FITBIT_RATES],
    ['garmin_export', 'its zip', GARMIN],
    ['garmin_export', 'days of it', GARMIN_DAYS],
    ['garmin_export', 'nights of it', GARMIN_NIGHTS],
    ['activity_file', 'a FIT file', FIT],
    ['activity_file', 'a compressed FIT file', gzipSync(FIT)],
    ['activity_file', 'a GPX file', GPX],
    ['activity_file', 'a TCX file', `\ufeff${TCX}`],
    [
      'activity_file',
      'tracks with pictures',
      { 'a.gpx': GPX, 'IMG_1.jpg': '\xff\xd8\xff', 'b.png': 'x' },
    ],
    ['health_connect', 'its database', HEALTH_CONNECT],
    ['health_connect', 'its zip', { 'health_connect_export.db': HEALTH_CONNECT }],
    ['samsung_health', 'a table of it', SAMSUNG],
    ['samsung_health', 'its zip', SAMSUNG_ZIP],
    ['oura', 'its zip', OURA],
    ['oura', 'nights of it', OURA_SLEEP],
    ['oura', 'days of it', OURA_DAY],
    ['oura', 'heart rates of it', OURA_RATES],
    ['oura', 'its first JSON', json({ sleep: [{ summary_date: '2019-01-01' }], activity: [] })],
    ['whoop', 'its zip', WHOOP_ZIP],
    ['whoop', 'cycles of it', `\ufeff${WHOOP.replaceAll('\n', '\r\n')}`],
    ['whoop', 'workouts of it', WHOOP_WORKOUTS],
    ['polar', 'its zip', POLAR],
    ['polar', 'a training of it', POLAR_TRAINING],
    ['polar', 'a day of it', POLAR_DAY],
    ['polar', 'heart rates of it', POLAR_RATES],
    ['libreview', 'its table', LIBREVIEW],
    ['dexcom_clarity', 'its table', `\ufeff${CLARITY}`],
    ['withings_export', 'its weights', WITHINGS],
    [
      'withings_export',
      'its zip',
      { 'data/weight.csv': WITHINGS, 'data/aggregates_steps.csv': 'date,value\n2025-05-01,8000\n' },
    ],
    ['my_fitness_pal_export', 'its meals', MEALS],
    [
      'my_fitness_pal_export',
      'its zip',
      { 'Nutrition-Summary-2025-05-01-to-2025-05-02.csv': MEALS },
    ],
    ['health_auto_export', 'its metrics', AUTO_EXPORT],
    ['health_auto_export', 'its workouts', AUTO_WORKOUTS],
    ['health_auto_export', 'its zip', { 'HealthAutoExport-2026-05-01.json': AUTO_WORKOUTS }],
  ]

/** Files of other programs, some with names of columns or fields that exports have. */
export const FOREIGN_FILES: readonly (readonly [name: string, content: Content | Files])[] = [
  ['a table of times and values', lines('timestamp,value', '2026-05-01T07:00:00Z,61')],
  ['a table of times and heart rates', lines('time,bpm', '2026-05-01T07:00:00Z,61')],
  [
    'a table of heart rates and their source',
    lines('timestamp,bpm,source', '2026-05-01T07:00:00Z,61,chest'),
  ],
  ['a table of days', lines('day,steps,active_calories', '2026-05-01,9000,400')],
  ['a table of dates', lines('Date,Value', '2026-05-01,9000')],
  ['a table of weights', lines('Date,Weight', '2026-05-01,80.1')],
  ['a table of weights in kilograms', lines('date,weight (kg)', '2026-05-01,80.1')],
  [
    'a table of activities',
    lines('activity,start_datetime,end_datetime', 'run,2026-05-01T07:00:00Z,'),
  ],
  ['a table of oxygen uptakes', lines('timestamp,vo2_max', '2026-05-01T07:00:00Z,51')],
  ['a table of glucose', lines('Timestamp,Glucose (mg/dL)', '2026-05-01 07:00,101')],
  ['a table of sleeps', lines('Start,End,Nap', '2026-05-01 23:00,2026-05-02 07:00,no')],
  [
    'movements of a bank',
    lines('Buchungstag;Valuta;Betrag;Währung', '01.05.2026;01.05.2026;-12,50;EUR'),
  ],
  [
    'movements of another bank',
    lines('Date,Description,Amount,Balance', '05/01/2026,Coffee,-3.50,100'),
  ],
  ['contacts', json([{ name: 'x', email: 'x@example.com' }])],
  ['a list of days', json([{ date: '2026-05-01', steps: 9000, calories: 2400 }])],
  ['an object with steps', json({ date: '2026-05-01', user: { stepCount: 9000 } })],
  [
    'workouts of another app',
    json({ workouts: [{ exercises: [{ name: 'x' }], duration: 'PT1H', stopTime: 1 }] }),
  ],
  [
    'a plan of training',
    json({ name: 'x', exercises: [{ sets: [{ duration: 60 }] }], startTime: 1 }),
  ],
  ['data of a web page', json({ data: { users: [], metrics: 1 } })],
  [
    'an answer of an interface',
    json({ data: [{ day: '2026-05-01', equivalent_walking_distance: 1 }] }),
  ],
  ['places', json({ type: 'FeatureCollection', features: [] })],
  ['a zip of pictures', { 'IMG_1.jpg': '\xff\xd8\xff', 'IMG_2.jpg': '\xff\xd8\xff' }],
  [
    'a zip of tables',
    { 'activities.csv': 'a,b\n1,2\n', 'sleep.csv': 'from,to\n1,2\n', 'sleeps.csv': 'x\n' },
  ],
  [
    'a zip of JSON',
    { 'activity-1.json': '{"a":1}', 'sleep_score.json': '[]', 'steps-1.json': '{}' },
  ],
  [
    'a spreadsheet',
    {
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml': '<workbook/>',
      'xl/worksheets/sheet1.xml': '<worksheet/>',
    },
  ],
  ['a document', { '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:document/>' }],
  [
    'a spreadsheet of another program',
    {
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': '<office:document-content/>',
    },
  ],
  ['a map', '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"/>'],
]
