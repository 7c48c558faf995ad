import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEcg } from './ecg-file.ts'

const HEADER: [string, string][] = [
  ['Name', 'Alex Example'],
  ['Date of Birth', '"Mar 14, 1986"'],
  ['Recorded Date', '2024-05-01 08:00:00 +0200'],
  ['Classification', 'Atrial Fibrillation'],
  ['Symptoms', '"Rapid, pounding"'],
  ['Software Version', '2.0'],
  ['Device', '"Watch6,1"'],
  ['Sample Rate', '512.5 hertz'],
]
const ecg = (change: Record<string, string> = {}, values = '-12.5\n250\n') =>
  HEADER.map(([name, value]) => `${name},${change[name] ?? value}\n`).join('') +
  `\n\nLead,Lead I\nUnit,${change.Unit ?? 'µV'}\n\n${values}`

test('an electrocardiogram has its time, values and method', () => {
  const { header, ...recording } = readEcg(ecg()) as Exclude<ReturnType<typeof readEcg>, string>
  assert.deepEqual(recording, {
    startedAt: Date.parse('2024-05-01T06:00:00Z'),
    timezoneOffset: 7200,
    samplingHertz: 512.5,
    classification: 'atrial_fibrillation',
    inconclusiveCause: null,
    algorithmVersion: '2.0',
    device: 'Watch6,1',
    voltages: [-0.0125, 0.25],
  })
  assert.equal(header.Symptoms, 'Rapid, pounding')
  assert.doesNotMatch(JSON.stringify(header), /Alex|1986/)
})

test('one in German, with commas, other line ends and a byte order mark, reads the same', () => {
  const german = [
    '\ufeffName,Alex Beispiel',
    'Geburtsdatum,"14.03.1986"',
    'Aufzeichnungsdatum,2024-05-01 08:00:00 +0200',
    'Klassifizierung,Vorhofflimmern',
    'Symptome,',
    'Softwareversion,"2,0"',
    'Gerät,"Watch6,1"',
    'Abtastrate,"512,5 Hertz"',
    '',
    'Ableitung,Ableitung I',
    'Einheit,µV',
    '',
    '"-12,5"',
    '250,0',
    '0',
  ]
  const recording = readEcg(german.join('\r\n'))
  assert.ok(typeof recording !== 'string')
  assert.deepEqual(recording.voltages, [-0.0125, 0.25, 0])
  assert.deepEqual(
    [recording.classification, recording.samplingHertz, recording.algorithmVersion],
    ['atrial_fibrillation', 512.5, '2,0'],
  )
})

test('what the watch says is known in the words of several languages', () => {
  const said: [words: string, classification: string | null, cause: string | null][] = [
    ['Sinus Rhythm', 'sinus_rhythm', null],
    ['Sinusrhythmus', 'sinus_rhythm', null],
    ['Rythme sinusal', 'sinus_rhythm', null],
    ['Fibrilación auricular', 'atrial_fibrillation', null],
    ['Inconclusive', 'inconclusive', null],
    ['High Heart Rate', 'inconclusive', 'high_heart_rate'],
    ['Low Heart Rate', 'inconclusive', 'low_heart_rate'],
    ['Poor Recording', 'inconclusive', 'poor_reading'],
    ['Something else', null, null],
  ]
  for (const [words, classification, cause] of said) {
    const recording = readEcg(ecg({ Classification: words }))
    assert.ok(typeof recording !== 'string')
    assert.deepEqual(
      [recording.classification, recording.inconclusiveCause],
      [classification, cause],
      words,
    )
  }
})

test('a file that cannot be read says why', () => {
  assert.equal(readEcg(''), 'invalid_start_date')
  assert.equal(readEcg(ecg({ 'Recorded Date': 'yesterday' })), 'invalid_start_date')
  assert.equal(readEcg(ecg({ 'Sample Rate': 'fast' })), 'unreadable_file')
  assert.equal(readEcg(ecg({ 'Sample Rate': '4000 hertz' })), 'unreadable_file')
  assert.equal(readEcg(ecg({ Unit: 'bananas' })), 'unknown_unit')
  assert.equal(readEcg(ecg({}, '')), 'unreadable_file')
  assert.equal(readEcg(ecg({}, '1\n2\nthree\n')), 'unreadable_file')
})
