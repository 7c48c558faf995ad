import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onlyMessage, readFixture } from '../test/read-fixture.ts'
import { readCodes, readNumber, readQuantity, readValue, textOfCode } from './values.ts'

const PHOENIX = { zone: 'America/Phoenix' }
const value = (type: string, raw: string) => {
  const obx = onlyMessage(`MSH|^~\\&|LIS\rOBX|1|${type}|A^A^L||${raw}|mg/dL`).first('OBX')
  assert.ok(obx)
  return readValue(obx, PHOENIX)
}
const numeric = (text: string, comparator?: string, number?: number) => ({
  kind: 'numeric',
  text,
  quantity: number === undefined ? undefined : { comparator: comparator ?? '', value: number },
})

describe('NM', () => {
  for (const [raw, comparator, number] of [
    ['13.2', '', 13.2],
    [' 90 ', '', 90],
    ['-2.5', '', -2.5],
    ['+3', '', 3],
    ['.5', '', 0.5],
    ['5.', '', 5],
    ['<10', '<', 10],
    ['> 5', '>', 5],
    ['>=0.3', '>=', 0.3],
    ['=<7', '<=', 7],
  ] as const) {
    test(`"${raw}" is a quantity, and its text stays as sent`, () => {
      assert.deepEqual(value('NM', raw), numeric(raw, comparator, number))
    })
  }

  test('with words has no quantity', () => {
    for (const raw of [
      'TNP',
      'SEE NOTE',
      '1e5',
      '0x1F',
      '1,200',
      '5 mg',
      '<',
      '-',
      '1.2.3',
      'Infinity',
    ]) {
      assert.deepEqual(value('NM', raw), numeric(raw))
    }
  })

  test('with empty components is the number, and with others is as sent', () => {
    assert.deepEqual(value('NM', '13.2^^'), numeric('13.2', '', 13.2))
    assert.deepEqual(value('NM', '13^2'), numeric('13^2'))
  })

  test('with several repetitions has all of them, and no quantity', () => {
    assert.deepEqual(value('NM', '5~6'), numeric('5\n6'))
  })
})

describe('SN', () => {
  for (const [raw, text, quantity, separator, second] of [
    ['>=^32', '>=32', { comparator: '>=', value: 32 }, '', undefined],
    ['^64', '64', { comparator: '', value: 64 }, '', undefined],
    ['^1^:^128', '1:128', { comparator: '', value: 1 }, ':', 128],
    ['^10^-^20', '10-20', { comparator: '', value: 10 }, '-', 20],
    ['^2^+', '2+', { comparator: '', value: 2 }, '+', undefined],
    ['<^ 5 ', '<5', { comparator: '<', value: 5 }, '', undefined],
    ['>100', '>100', { comparator: '>', value: 100 }, '', undefined],
    ['^many', 'many', undefined, '', undefined],
  ] as const) {
    test(`${raw} is ${text}`, () => {
      assert.deepEqual(value('SN', raw), { kind: 'structured', text, quantity, separator, second })
    })
  }
})

describe('CE, CWE and CNE', () => {
  test('have the text of the name, else of the original text, else of the other name, else a code', () => {
    const text = (raw: string) => value('CWE', raw).text
    assert.equal(text('A^Name^L^B^Other^LN^1^2^Original'), 'Name')
    assert.equal(text('A^^L^B^Other^LN^1^2^Original'), 'Original')
    assert.equal(text('A^^L^B^Other^LN'), 'Other')
    assert.equal(text('A^^L^B^^LN'), 'A')
    assert.equal(text('^^^B'), 'B')
    assert.equal(text('A^Gram \\T\\ stain & more^L'), 'Gram & stain & more')
  })

  test('have the codes of both groups, of all repetitions', () => {
    assert.deepEqual(value('CE', '112283007^E. coli^SCT^ECOLI^Escherichia^L~^^^7600^LIPID^QL'), {
      kind: 'coded',
      text: 'E. coli\nLIPID',
      codes: [
        { code: '112283007', name: 'E. coli', system: 'SCT' },
        { code: 'ECOLI', name: 'Escherichia', system: 'L' },
        { code: '7600', name: 'LIPID', system: 'QL' },
      ],
    })
  })

  test('are read from any field', () => {
    const obr = onlyMessage('MSH|^~\\&|L\rOBR|1|||^^^7600^LIPID').first('OBR')
    const code = obr?.field(4).repetitions[0]
    assert.ok(code)
    assert.deepEqual(readCodes(code), [{ code: '7600', name: 'LIPID', system: '' }])
    assert.equal(textOfCode(code), 'LIPID')
  })

  test('are known with a table behind the type', () => {
    assert.equal(value('CWE^^HL70125', 'A^Name^L').kind, 'coded')
  })
})

describe('texts', () => {
  for (const type of ['ST', 'TX', 'FT', 'UNKNOWN', '']) {
    test(`of the type "${type}" keep separators of components, and have a line a repetition`, () => {
      assert.deepEqual(value(type, 'A^B & C~\\.br\\D'), { kind: 'text', text: 'A^B & C\n\nD' })
    })
  }

  test('are distinct from nothing and from the null of HL7', () => {
    assert.deepEqual(value('ST', ''), { kind: 'empty', text: '' })
    assert.deepEqual(value('NM', '""'), { kind: 'null', text: '' })
  })
})

describe('times and ranges', () => {
  const march = Date.UTC(2026, 2, 9, 7)

  test('of TS, DT and DTM are times of the zone', () => {
    for (const type of ['TS', 'DT', 'DTM']) {
      const read = value(type, '20260309')
      assert.ok(read.kind === 'time')
      assert.deepEqual([read.text, read.time?.at, read.time?.precision], ['20260309', march, 'day'])
    }
    assert.deepEqual(value('TS', 'soon'), { kind: 'time', text: 'soon', time: undefined })
    assert.deepEqual(value('TM', '0830'), { kind: 'time_of_day', text: '0830' })
  })

  test('of DR and NR have two ends', () => {
    const range = value('DR', '20260309^')
    assert.ok(range.kind === 'time_range')
    assert.deepEqual([range.from?.at, range.until], [march, undefined])
    assert.deepEqual(value('NR', '1.5^10'), {
      kind: 'numeric_range',
      text: '1.5 - 10',
      low: 1.5,
      high: 10,
    })
    assert.deepEqual(value('NR', '^10'), {
      kind: 'numeric_range',
      text: ' - 10',
      low: undefined,
      high: 10,
    })
  })

  test('have numbers of decimal digits alone', () => {
    assert.deepEqual(['12', ' -1.50 ', '1e3', '0b1', '', 'NaN'].map(readNumber), [
      12,
      -1.5,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    assert.deepEqual(readQuantity('<>3'), { comparator: '<>', value: 3 })
  })
})

describe('documents', () => {
  const PDF = Buffer.from('%PDF-1.4 test')
  const document = (raw: string) => {
    const read = value('ED', raw)
    assert.ok(read.kind === 'documents')
    return read.documents[0]
  }

  for (const type of [
    '^application^pdf^Base64^',
    '^AP^PDF^Base64^',
    'TE^Image^PDF^Base64^',
    '^TEXT^html^^',
    '',
  ]) {
    test(`are known by their bytes under ${type || 'no type'}`, () => {
      const found = document(type + PDF.toString('base64'))
      assert.equal(found?.kind, 'pdf')
      assert.ok(found?.bytes?.equals(PDF))
    })
  }

  test('may have lines and formatting in their data', () => {
    const base64 = PDF.toString('base64')
    for (const broken of [
      `${base64.slice(0, 5)}\r${base64.slice(5)}`,
      `${base64.slice(0, 4)}\\.br\\${base64.slice(4)}`,
      ` ${base64}\r\n`,
    ]) {
      assert.ok(document(`^AP^PDF^Base64^${broken}`)?.bytes?.equals(PDF), broken)
    }
  })

  test('may be hexadecimal or plain', () => {
    assert.ok(document(`^AP^PDF^Hex^${PDF.toString('hex')}`)?.bytes?.equals(PDF))
    assert.equal(document('^TX^PLAIN^A^a \\F\\ b')?.bytes?.toString(), 'a | b')
    assert.equal(document('^TX^PLAIN^A^a')?.kind, 'text')
  })

  test('that cannot be decoded have no bytes, and those without data have none either', () => {
    for (const data of ['%%%%', 'AAAA=AAAA', 'A==='])
      assert.equal(document(`^AP^PDF^Base64^${data}`)?.bytes, undefined)
    assert.equal(document('^AP^PDF^Hex^0')?.bytes, undefined)
    assert.equal(document('^AP^PDF^Base64^')?.bytes?.length, 0)
  })

  test('are of a kind that their first bytes say', () => {
    const kind = (bytes: string) =>
      document(`^^^Base64^${Buffer.from(bytes, 'latin1').toString('base64')}`)?.kind
    assert.deepEqual(
      [
        '\x89PNG\r\n',
        '\xff\xd8\xff\xe0',
        'GIF89a',
        'II*\0',
        '{\\rtf1',
        '<!DOCTYPE html>',
        ' <html>',
        '<?xml ?>',
        'text',
        '\0\x01',
        'x%PDF-1',
      ].map(kind),
      ['png', 'jpeg', 'gif', 'tiff', 'rtf', 'html', 'html', 'xml', 'text', 'unknown', 'pdf'],
    )
  })

  test('of many megabytes are decoded', () => {
    const large = Buffer.alloc(20_000_000, 'salus')
    assert.ok(document(`^AP^PDF^Base64^${large.toString('base64')}`)?.bytes?.equals(large))
  })

  test('of a message are found beside its results', () => {
    const [number, pdf] = onlyMessage(readFixture('pdf-in-obx'))
      .all('OBX')
      .map((obx) => readValue(obx, PHOENIX))
    assert.deepEqual(number, numeric('88', '', 88))
    assert.ok(pdf?.kind === 'documents')
    assert.deepEqual([pdf.documents[0]?.kind, pdf.documents[0]?.bytes?.length], ['pdf', 551])
  })

  test('may be elsewhere, which is a pointer', () => {
    assert.deepEqual(value('RP', 'doc/1.pdf^LIS&1.2^AP^PDF'), {
      kind: 'pointer',
      text: 'doc/1.pdf',
      application: 'LIS',
      type: 'AP',
      subtype: 'PDF',
    })
  })
})
