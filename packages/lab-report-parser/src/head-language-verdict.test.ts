import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHeader, readPatientHints } from './header/read-header.ts'
import { isLabReport } from './is-lab-report.ts'
import { detectLanguage } from './language/detect-language.ts'
import type { PageText } from './pages/page.ts'
import { readResults } from './regions/read-results.ts'

/** A page of fixed-width text: a character is 6 points wide, a line 14 points high. */
function typePage(text: string): PageText {
  const words = text.split('\n').flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map(([word], index, all) => ({
      text: word,
      box: {
        x: 40 + 6 * ([...line.matchAll(/\S+/g)][index]?.index ?? 0),
        y: 40 + 14 * row,
        width: 6 * word.length,
        height: 10,
      },
      confidence: all.length > 0 ? 1 : 0,
      fontSize: 10,
      isBold: false,
      color: null,
    })),
  )
  const size = { width: 612, height: 792 }
  return {
    number: 1,
    ...size,
    source: 'text_layer',
    words,
    toSource: null,
    sourceSize: size,
  }
}

const say = (text: string, language = 'en') => {
  const { gender, ...fields } = readHeader([typePage(text)], language).header
  const texts = Object.entries(fields).map(([key, field]) => [key, field?.text ?? null])
  return { ...Object.fromEntries(texts), gender: gender?.value ?? null }
}

describe('the head of a report', () => {
  test('is read in columns of labels and values', () => {
    const head = say(`Northfield Clinical Laboratory
Patient: Mrs. Jane A. Doe          Accession No: NF-204417        Sex: F
DOB: 03/14/1975                    Collected: 05/02/2024 08:15    Reported: 05/03/2024`)
    assert.deepEqual(head, {
      patientFirstName: 'Jane A.',
      patientLastName: 'Doe',
      dateOfBirth: '03/14/1975',
      gender: 'female',
      labName: 'Northfield Clinical Laboratory',
      dateReported: '05/03/2024',
      dateCollected: '05/02/2024 08:15',
      specimenNumber: 'NF-204417',
    })
  })

  test('has an age, and further patients where a document is of several', () => {
    const hints = (...texts: string[]) => {
      const { age, others } = readPatientHints(texts.map(typePage))
      return [age?.text ?? null, others]
    }
    const page = (name: string) => `Northfield Clinical Laboratory
Patient: ${name}          Age/Sex: 49 Y / F
Ordering physician: Dr. Paul Stone      Client Name: River Health`
    assert.deepEqual(hints(page('Doe, Jane'), page('Doe, Jane')), ['49 Y', []])
    assert.deepEqual(hints(page('Doe, Jane'), page('Bob Stone')), [
      '49 Y',
      [{ first: 'Bob', last: 'Stone' }],
    ])
    assert.deepEqual(hints('Patient: Jane Doe\nDOB/Age/Sex: 03/14/1975 / 49 / F'), ['49', []])
    assert.deepEqual(hints('DOB: 03/14/1975'), [null, []])
  })

  test('is read where labels stand over their values', () => {
    const head = say(`Patient Name              Date of Birth        Specimen ID
DOE, JOHN                 12-Jan-1960          A77120`)
    assert.equal(head.patientFirstName, 'JOHN')
    assert.equal(head.patientLastName, 'DOE')
    assert.equal(head.dateOfBirth, '12-Jan-1960')
    assert.equal(head.specimenNumber, 'A77120')
  })

  test('is read in the language of the report', () => {
    const german = say(
      'Labor Beispiel\nName, Vorname: Muster, Erika      Geb.-Datum: 01.02.1970      Geschlecht: W\nEntnahme: 03.04.2024      Befunddatum: 05.04.2024',
      'de',
    )
    assert.deepEqual(
      [
        german.patientFirstName,
        german.patientLastName,
        german.dateOfBirth,
        german.gender,
        german.dateCollected,
        german.dateReported,
      ],
      ['Erika', 'Muster', '01.02.1970', 'female', '03.04.2024', '05.04.2024'],
    )
    const spanish = say('Nombre: María López      Sexo: M      Edad: 40', 'es')
    assert.equal(spanish.gender, 'male')
  })

  test('takes age and sex from one label, and the name before an unlabelled date of birth', () => {
    assert.equal(say('Age/Sex : 34 Y / Male').gender, 'male')
    const head = say('SAMPLE, Jules DOB 08/14/1983 Collected 01/22/2025')
    assert.deepEqual(
      [head.patientFirstName, head.patientLastName, head.dateOfBirth, head.dateCollected],
      ['Jules', 'SAMPLE', '08/14/1983', '01/22/2025'],
    )
  })

  test('that says nothing gives nothing', () => {
    for (const fact of Object.values(say('Glucose   95   mg/dL   70-99'))) assert.equal(fact, null)
  })
})

describe('the language of a report', () => {
  const detect = (text: string) => detectLanguage([typePage(text)])

  test('is that of its words, and English where there are few', () => {
    assert.equal(detect('Glucose 95 mg/dL').code, 'en')
    assert.equal(
      detect('Untersuchung Ergebnis Einheit Referenzbereich Glukose 95 mg/dl Probenentnahme').code,
      'de',
    )
    assert.equal(
      detect('Prueba Resultado Unidades Valores de referencia Fecha de nacimiento').code,
      'es',
    )
    assert.equal(
      detect('Bepaling Uitslag Eenheid Referentiewaarden Geboortedatum van de patiënt').code,
      'nl',
    )
    assert.deepEqual(
      detect('Badanie Wynik Jednostka Zakres referencyjny Pacjent Data pobrania krew'),
      {
        code: 'pl',
        isSupported: false,
        isLatin: true,
      },
    )
  })

  test('is not read in other writing systems', () => {
    for (const text of [
      'Общий анализ крови гемоглобин лейкоциты',
      '血液检查结果报告单 白细胞 红细胞 血红蛋白 血小板计数',
      'تحليل الدم الكامل للمريض نتيجة الفحص المختبري',
    ]) {
      assert.equal(detect(text).isLatin, false, text)
    }
  })
})

describe('a document', () => {
  const judge = (text: string) => {
    const pages = [typePage(text)]
    return isLabReport(pages, readResults(pages).rows)
  }

  test('with results is a laboratory report, a single one enough', () => {
    assert.equal(
      judge(`Example Laboratory            Collected: 01/02/2024
Test                     Result      Units      Reference Range
TSH                      2.1         mIU/L      0.4-4.5`),
      true,
    )
    const page = typePage('Example Laboratory\nTest Result Reference')
    const field = (text: string) => ({
      text,
      page: 1,
      box: { x: 0, y: 0, width: 1, height: 1 },
      confidence: 1,
    })
    const row = {
      name: field('SARS-CoV-2 RNA'),
      value: field('Not Detected'),
      unit: null,
      range: field('Not Detected'),
      flag: null,
      panel: null,
      sampleType: 'unknown' as const,
    }
    assert.equal(isLabReport([page], [row]), true)
  })

  test('of another kind is none', () => {
    const others = [
      '',
      'Invoice 1042\nHemoglobin        12.00 USD\nFerritin %        31.50 USD\nGlucose       9.00 USD\nTotal due        52.50 USD',
      'Prescription\nVitamin D 1000 IU     once daily\nFolic acid 5 mg     tablets 30     refills 2',
      'Discharge summary\nThe patient was admitted on 01/02/2024. Hospital course: stable.\nHemoglobin 12.3 g/dL on admission, discharge medications as listed.',
      'Ultrasound of the abdomen\nFindings: liver 14 cm, spleen 10 cm. Impression: normal. Technique: standard.',
      'Test requisition\nTests ordered: Glucose, TSH, Lipid panel\nICD-10: E11.9   Bill to: patient',
    ]
    for (const text of others) assert.equal(judge(text), false, text)
  })
})
