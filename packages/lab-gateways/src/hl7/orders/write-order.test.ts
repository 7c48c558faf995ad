import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rulesOf } from '../../../test/connections.ts'
import { only, parseMessage } from '../../../test/minimal-parser.ts'
import { NUMBERS, NUMBERS_PER_TEST, REQUISITION } from '../../../test/requisitions.ts'
import { readMessages } from '../results/read-messages.ts'
import { OrderNotWritable } from './order-not-writable.ts'
import { writeCancellation, writeOrder } from './write-order.ts'

const LEGACY = rulesOf('hl7-2.3-legacy')
const LEGACY_231 = rulesOf('hl7-2.3.1-legacy')
const LOI = rulesOf('loi-lri-2.5.1')
const lines = (content: Buffer): string[] => {
  const text = content.toString('utf8')
  assert.ok(text.endsWith('\r'))
  return text.slice(0, -1).split('\r')
}
const write = (rules = LEGACY, given = {}) =>
  parseMessage(writeOrder(rules, { ...REQUISITION, ...given }, NUMBERS))

describe('an order', () => {
  test('is written by the profile of 2.3', () => {
    const provider = '1234567893^HALL^RUTH^^^^^N'
    assert.deepEqual(lines(writeOrder(LEGACY, REQUISITION, NUMBERS)), [
      'MSH|^~\\&|SALUS|97512345|LAB||202603011205||ORM^O01|M-0001|P|2.3',
      'PID|1|12345|||VANCE^ZOE||19900412|F||A|1 MAIN ST^^PHOENIX^AZ^850041234||6025550199|||||97512345^^^T||||N',
      'PV1|1|O',
      'IN1|1|UHC01|UHC01|UNITED MUTUAL|PO BOX 5^^PHOENIX^AZ^850041234|||G77||||||||VANCE^PAT|2|19880102|1 MAIN ST^^PHOENIX^AZ^850041234|||1||||||||||||||W123\\S\\4|||||||M',
      `IN2|${'|'.repeat(60)}W123\\S\\4||6025550177`,
      'GT1|1||VANCE^PAT||1 MAIN ST^^PHOENIX^AZ^850041234|6025550177||19880102|M||2',
      `ORC|NW|SA00000017|||||^^^^^S||202603011205|||${provider}`,
      `OBR|1|SA00000017||322000^Metabolic Panel^L|S||202603020815||||||FASTING|||${provider}|||||||||||^^^^^S`,
      'NTE|1|P|Tired \\T\\ pale.',
      'NTE|2|P|Since May.',
      'DG1|1||E78.5^^I10|||W',
      'DG1|2||R53.83^^I10|||W',
      'OBX|1|ST|FAST^Fasting?^L||Y||||||O',
      `ORC|NW|SA00000017|||||^^^^^S||202603011205|||${provider}`,
      `OBR|2|SA00000017||7600^Lipid Panel^L|S||202603020815||||||FASTING|||${provider}|||||||||||^^^^^S`,
      'OBX|1|NM|VOL^Volume \\F\\ total^L||500||||||O',
      'OBX|2|ST|SRC^Sources^L||A1~B2||||||O',
    ])
  })

  test('names the specimen of each test, by the catalog or by the code of the test', () => {
    const tests = REQUISITION.tests.map((each, index) => ({
      ...each,
      specimen_type: ['urine', 'serum'][index] ?? null,
    }))
    const fieldOf = (rules: typeof LEGACY, name: string, field: number) =>
      write(rules, { tests, sampleId: 'KIT-9' })
        .filter((segment) => segment.name === name)
        .map(({ fields }) => fields[field])
    const own = { codes: { specimen: { '7600': '119297000' } } }
    assert.deepEqual(fieldOf(rulesOf('loi-lri-2.5.1', own), 'SPM', 4), [
      '122575003^Urine^SCT',
      '119297000^Serum^SCT',
    ])
    const legacy = rulesOf('hl7-2.3-legacy', { order: { specimens: 'OBR-15' } })
    assert.deepEqual(fieldOf(legacy, 'OBR', 15), ['UR&Urine', 'SER&Serum'])
    assert.deepEqual(fieldOf(LEGACY, 'OBR', 15), ['', ''])
  })

  test('is written by the profile of 2.3.1', () => {
    const segments = write(LEGACY_231)
    const pid = only(segments, 'PID').fields
    assert.deepEqual([pid[2], pid[3], pid[13], pid[18]], ['', '12345', '(602)555-0199', '97512345'])
    assert.equal(pid[11], '1 MAIN ST^^PHOENIX^AZ^85004-1234')
    assert.equal(only(segments, 'IN1').fields[47], 'T')
    const codes = segments.filter(({ name }) => name === 'OBR').map(({ fields }) => fields[4])
    assert.deepEqual(codes, ['^^^322000^Metabolic Panel', '^^^7600^Lipid Panel'])
    // Each test has the diagnoses.
    assert.equal(segments.filter(({ name }) => name === 'DG1').length, 4)
  })

  test('is written by the profile of 2.5.1', () => {
    const provider = '1234567893^Hall^Ruth^^^^^^NPI&2.16.840.1.113883.4.6&ISO^L^^^NPI'
    const requisition = { ...REQUISITION, sampleId: 'KIT-9' }
    const [header, ...written] = lines(writeOrder(LOI, requisition, NUMBERS_PER_TEST))
    assert.equal(
      header,
      'MSH|^~\\&|SALUS|97512345|LAB||20260301120509-0700||OML^O21^OML_O21|M-0001|P|2.5.1|||AL|AL||UNICODE UTF-8|||^^2.16.840.1.113883.9.66^ISO~^^2.16.840.1.113883.9.78^ISO~^^2.16.840.1.113883.9.81^ISO',
    )
    assert.equal(
      written[0],
      'PID|1||12345^^^SALUS^MR||Vance^Zoë^^^^^L||19900412|F||2028-9^^HL70005|1 Main St^^Phoenix^AZ^85004-1234^USA||^PRN^PH^^1^602^5550199|||||||||N^^HL70189',
    )
    const tests = written.slice(written.findIndex((line) => line.startsWith('ORC')))
    const orc = (placer: string) =>
      `ORC|NW|${placer}^SALUS||SA00000017^SALUS|||||20260301120509-0700|||${provider}`
    const obr = (set: number, placer: string, code: string) =>
      `OBR|${set}|${placer}^SALUS||${code}^L|||20260302081500-0700||||||F^Fasting^HL70916|||${provider}`
    const spm =
      'SPM|1|KIT-9&SALUS||119324002^Specimen of unknown material^SCT|||||||||||||20260302081500-0700'
    const qst = `||||||O${'|'.repeat(18)}QST`
    const diagnoses = ['DG1|1||E78.5^^I10|||W', 'DG1|2||R53.83^^I10|||W']
    assert.deepEqual(tests, [
      orc('SA00000017'),
      'TQ1|1||||||||S^^HL70485',
      obr(1, 'SA00000017', '322000^Metabolic Panel'),
      'NTE|1|P|Tired \\T\\ pale.',
      'NTE|2|P|Since May.',
      ...diagnoses,
      `OBX|1|CWE|FAST^Fasting?^L||Y^^L${qst}`,
      spm,
      orc('SA00000018'),
      'TQ1|1||||||||S^^HL70485',
      obr(2, 'SA00000018', '7600^Lipid Panel'),
      ...diagnoses,
      `OBX|1|NM|VOL^Volume \\F\\ total^L||500${qst}`,
      `OBX|2|CWE|SRC^Sources^L||A1^^L~B2^^L${qst}`,
      spm,
    ])
  })

  test('is the same bytes for the same requisition and numbers', () => {
    for (const rules of [LEGACY, LEGACY_231, LOI]) {
      const first = writeOrder(rules, REQUISITION, NUMBERS)
      assert.deepEqual(writeOrder(rules, structuredClone(REQUISITION), NUMBERS), first)
    }
  })

  test('has no payer but the client where the client is billed', () => {
    const client = { billingType: 'client_bill', insurance: null }
    const legacy = write(LEGACY, client)
    assert.equal(legacy.filter(({ name }) => /^(?:IN1|GT1)$/.test(name)).length, 0)
    assert.equal(only(legacy, 'PID').fields[18], '97512345^^^C')
    assert.equal(only(write(LEGACY_231, client), 'IN1').fields[47], 'C')
  })

  test('has the patient as guarantor where the patient is billed', () => {
    const patient = write(LEGACY, { billingType: 'patient_bill', insurance: null })
    const { fields } = only(patient, 'GT1')
    assert.deepEqual([fields[3], fields[6], fields[11]], ['VANCE^ZOE', '6025550199', '1'])
    assert.equal(patient.filter(({ name }) => name === 'IN1').length, 0)
  })

  test('has the policy of the billing data where the person has none', () => {
    const segments = write(LEGACY, {
      insurance: null,
      billing: {
        subjective: null,
        assessment_plan: null,
        payor_code: 'AET',
        insurance_id: 'M-9',
        responsible_relationship: 'Other',
        responsible_details: {
          first_name: 'Sam',
          last_name: 'Ruiz',
          phone_number: '6025550111',
          phone_type: 'mobile',
          address: REQUISITION.insurance?.insured.address,
        },
        diagnosis_codes: [],
        front_image: null,
        back_image: null,
        patient_signature_image: null,
      },
    })
    const { fields } = only(segments, 'IN1')
    assert.deepEqual(
      [fields[3], fields[16], fields[17], fields[36]],
      ['AET', 'RUIZ^SAM', '3', 'M-9'],
    )
    assert.equal(only(segments, 'GT1').fields[3], 'RUIZ^SAM')
  })
})

describe('the rules of a connection', () => {
  test('put answers into fields, also of segments of the laboratory', () => {
    const rules = rulesOf('hl7-2.3-legacy', {
      order: { aoe_fields: { FAST: 'OBR-13', VOL: 'ZSA-3', SRC: 'ZSA-4' } },
    })
    const segments = write(rules)
    const obrs = segments.filter(({ name }) => name === 'OBR')
    assert.deepEqual(
      obrs.map(({ fields }) => fields[13]),
      ['Y', 'FASTING'],
    )
    assert.deepEqual(only(segments, 'ZSA').fields, ['ZSA', '', '', '500', 'A1, B2'])
    assert.equal(segments.filter(({ name }) => name === 'OBX').length, 0)
  })

  test('set and empty fields', () => {
    const rules = rulesOf('hl7-2.3-legacy', {
      order: { set: { 'PV1-2': 'R', 'PID-19': 'X^{account}' }, omit: ['PID-10', 'GT1-8'] },
    })
    const segments = write(rules)
    assert.equal(only(segments, 'PV1').fields[2], 'R')
    assert.equal(only(segments, 'PID').fields[19], 'X^97512345')
    assert.equal(only(segments, 'PID').fields[10], '')
    assert.equal(only(segments, 'GT1').fields[8], '')
  })

  test('choose the forms of names, numbers and times', () => {
    const rules = rulesOf('hl7-2.3-legacy', {
      envelope: { sending_app: 'APP^1.2.3^ISO', segment_end: 'CRLF' },
      order: {
        name_max_length: 5,
        upper_case: false,
        zip: '99999',
        date_time: 'seconds',
        orc_per: 'requisition',
        notes: 'PID',
        diagnoses: 'none',
      },
      codes: { payor: { UHC01: '00042' }, sex: { female: 'W' } },
    })
    const content = writeOrder(rules, REQUISITION, NUMBERS)
    assert.ok(content.toString('utf8').split('\r\n').length > 5)
    const segments = parseMessage(content)
    const header = only(segments, 'MSH').fields
    assert.deepEqual([header[3], header[7]], ['APP^1.2.3^ISO', '20260301120509'])
    const pid = only(segments, 'PID').fields
    assert.deepEqual([pid[5], pid[8], pid[11]], ['Vance^Zoe', 'W', '1 Mai^^Phoen^AZ^85004'])
    assert.equal(only(segments, 'IN1').fields[3], '00042')
    assert.equal(only(segments, 'ORC').fields[1], 'NW')
    const names = segments.map(({ name }) => name)
    assert.equal(names[names.indexOf('PID') + 1], 'NTE')
    assert.ok(!names.includes('DG1'))
  })

  test('with the number of the requisition from a range keep it in ORC-4', () => {
    const content = writeOrder(LEGACY, REQUISITION, { ...NUMBERS, requisition: '70000001' })
    const orcs = parseMessage(content).filter(({ name }) => name === 'ORC')
    assert.deepEqual(
      orcs.map(({ fields }) => fields[4]),
      ['70000001', '70000001'],
    )
  })
})

describe('an order that cannot be written', () => {
  const codeOf = (rules: typeof LEGACY, given: object) => {
    try {
      write(rules, given)
    } catch (error) {
      if (error instanceof OrderNotWritable) return error.code
    }
    return undefined
  }
  test('says why without a value of it', () => {
    const [first, ...others] = REQUISITION.tests
    const tests = [{ ...first, provider_id: null }, ...others]
    assert.equal(codeOf(LEGACY, { tests }), 'NO_ORDER_CODE')
    assert.equal(codeOf(LEGACY, { patient: null }), 'NO_PATIENT')
    const strict = rulesOf('hl7-2.3-legacy', { envelope: { ascii_fold: false } })
    assert.equal(codeOf(strict, {}), 'UNENCODABLE_TEXT')
  })
})

describe('a cancellation', () => {
  test('repeats the tests with their numbers, and nothing about money or health', () => {
    for (const rules of [LEGACY, LOI]) {
      const segments = parseMessage(writeCancellation(rules, REQUISITION, NUMBERS))
      assert.deepEqual(
        segments.map(({ name }) => name),
        ['MSH', 'PID', 'PV1', 'ORC', 'OBR', 'ORC', 'OBR'],
      )
      const orcs = segments.filter(({ name }) => name === 'ORC')
      assert.ok(orcs.every(({ fields }) => fields[1] === 'CA'))
      assert.ok(orcs.every(({ fields }) => fields[2]?.split('^')[0] === 'SA00000017'))
    }
  })

  test('that a laboratory sends back as it is, cancels that order', () => {
    const content = writeCancellation(LEGACY, REQUISITION, NUMBERS)
    const [update] = readMessages(LEGACY, content)
    assert.equal(update?.kind, 'cancelled_by_lab')
    assert.deepEqual(update?.order.placerNumbers, ['SA00000017'])
  })
})
