import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  collectFromText,
  collectHealthData,
} from '../../../../../server/test/imports/collect-health-data.ts'

function valuesOf(items: string): (string | undefined)[] {
  const { records, error } = collectFromText(`<HealthData>${items}</HealthData>`)
  assert.equal(error, undefined)
  return records.map((record) => record.value)
}

function faultOf(xml: string) {
  const { error, records } = collectFromText(xml)
  return [error?.code, error?.byteOffset, records.length]
}

test('attributes may stand in any order, in both quotes and with spaces', () => {
  const found = collectFromText(
    `<HealthData><Record\n\tvalue = 'a "b" > c'  type="t>"/><Record unit="u" type="t>" value="it's"
    device="d" ></Record ><!-- -->
    <Record type='t>' creationDate="c" unit='v'/><Record type='t>' unit='w'/>
    </HealthData>`,
  )
  assert.deepEqual(
    found.records.map(({ type, value, unit, device }) => [type, value, unit, device]),
    [
      ['t>', 'a "b" > c', undefined, undefined],
      ['t>', "it's", 'u', 'd'],
      ['t>', undefined, 'v', undefined],
      ['t>', undefined, 'w', undefined],
    ],
  )
})

test('entities, line breaks and UTF-8 are decoded', () => {
  const text = '&amp;&lt;&gt;&quot;&apos;&#65;&#x1F600;&amp;lt; é 导出 😀 a\r\nb\tc\nd'
  assert.deepEqual(valuesOf(`<Record value="${text}"/>`), ['&<>"\'A😀&lt; é 导出 😀 a b c d'])
})

test('bytes that no text may hold become replacement characters', () => {
  const [start, end] = ['<HealthData><Record value="', '"/></HealthData>']
  const bytes = Buffer.from([0x61, 0xff, 0x0b, 0x00, 0x62])
  const { records } = collectHealthData([Buffer.from(start), bytes, Buffer.from(end)])
  assert.equal(records[0]?.value, 'a\ufffd\ufffd\ufffdb')
})

test('markup inside comments, CDATA and instructions is not seen', () => {
  const hidden = '<Record value="hidden"/>'
  assert.deepEqual(
    valuesOf(`<!-- ${hidden} > -- -><![CDATA[${hidden}]] >-->]]>--><![CDATA[${hidden}]]]]>
      <?php ${hidden} ?>some text<Record value="1"><!----></Record>`),
    ['1'],
  )
})

test('a byte order mark and a document type with an internal subset are passed over', () => {
  const comment = "<!-- Apple's note: > ]> <HealthData> -->"
  const subset = `${comment}<!ENTITY x "]>'"><!ATTLIST Record a CDATA #IMPLIED>`
  const body = '<HealthData><Record value="1"/></HealthData>\n<!-- end -->\n'
  const xml = `\ufeff<?xml version="1.0"?>\n<!DOCTYPE HealthData [${subset}] >\n${body}`
  assert.equal(collectFromText(xml).error, undefined)
  assert.equal(collectFromText(xml).records.length, 1)
})

test('what is not well-formed gives the byte offset and everything before it', () => {
  const open = '<HealthData><Record value="é"/>'
  const at = Buffer.byteLength(open)
  assert.deepEqual(faultOf(''), ['malformed_xml', 0, 0])
  assert.deepEqual(faultOf(open), ['malformed_xml', at, 1])
  assert.deepEqual(faultOf(`${open}<Record value="2`), ['malformed_xml', at + 16, 1])
  assert.deepEqual(faultOf(`${open}<Record value="2">`), ['malformed_xml', at + 18, 1])
  assert.deepEqual(faultOf(`${open}<!-- x`), ['malformed_xml', at + 6, 1])
  assert.deepEqual(faultOf(`${open}</Healthdata>`), ['malformed_xml', at, 1])
  assert.deepEqual(faultOf(`${open}</Record></HealthData>`), ['malformed_xml', at, 1])
  assert.deepEqual(faultOf(`${open}<Record value=2/>`), ['malformed_xml', at + 14, 1])
  assert.deepEqual(faultOf(`${open}<Record value/>`), ['malformed_xml', at + 13, 1])
  assert.deepEqual(faultOf(`${open}<Record a="1"b="2"/>`), ['malformed_xml', at + 13, 1])
  assert.deepEqual(faultOf(`${open}<Record value="&x;"/>`), ['malformed_xml', at + 15, 1])
  assert.deepEqual(faultOf(`${open}<Record value="&#0;"/>`), ['malformed_xml', at + 15, 1])
  assert.deepEqual(faultOf(`${open}<Record value="a<b"/>`), ['malformed_xml', at + 16, 1])
  assert.deepEqual(faultOf(`${open}<Record unit="" unit=""/>`), ['malformed_xml', at + 16, 1])
  assert.deepEqual(faultOf(`${open}< Record/>`), ['malformed_xml', at + 1, 1])
  assert.deepEqual(faultOf(`${open}<!ELEMENT x>`), ['malformed_xml', at, 1])
  assert.deepEqual(faultOf(`${open}</HealthData>x`), ['malformed_xml', at + 13, 1])
  assert.deepEqual(faultOf(`${open}</HealthData><a/>`), ['malformed_xml', at + 13, 1])
  assert.deepEqual(faultOf('<ClinicalDocument/>'), ['not_an_export', undefined, 0])
})

test('a tag without end and endless nesting are refused instead of filling the memory', () => {
  const endless = collectFromText(`<HealthData><Record value="${'x'.repeat(3 << 20)}`)
  assert.deepEqual(endless.error, { code: 'malformed_xml', byteOffset: 12 })
  assert.equal(collectFromText(`<HealthData>${'<a>'.repeat(1e5)}`).error?.code, 'malformed_xml')
  const entities = '<!DOCTYPE HealthData [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]>'
  const bomb = `${entities}<HealthData><Record value="&b;"/></HealthData>`
  assert.equal(collectFromText(bomb).error?.code, 'malformed_xml')
})
