import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import sharp, { type Sharp } from 'sharp'

import type { Box, Raster } from '../../src/pages/page.ts'
import { createRandom } from '../../synthetic/random.ts'

/** A piece of text that a reader of the page has to get right. */
export interface DrawnField {
  kind: 'name' | 'value' | 'flag' | 'unit' | 'range'
  text: string
  /** In pixels of the raster. */
  box: Box
}

export interface DrawnTable {
  raster: Raster
  fields: DrawnField[]
}

export const DAMAGES = ['none', 'noise', 'blur', 'jpeg', 'turn', 'pale'] as const
export type Damage = (typeof DAMAGES)[number]

const names = [
  'Hemoglobin',
  'White Blood Cell Count',
  'RBC',
  'MCV',
  'Platelets',
  'Neutrophils %',
  'Lymphs (Absolute)',
  'Glucose, Fasting',
  'BUN/Creatinine Ratio',
  'eGFR Non-Afr. American',
  'Sodium',
  'Potassium',
  'Carbon Dioxide, Total',
  'Protein, Total',
  'A/G Ratio',
  'Bilirubin, Total',
  'Alkaline Phosphatase',
  'AST (SGOT)',
  'ALT (SGPT)',
  'LDL Chol Calc (NIH)',
  'Hemoglobin A1c',
  'TSH',
  'Free T4',
  'Vitamin D, 25-Hydroxy',
  'Vitamin B12',
  'Ferritin',
  'C-Reactive Protein',
  'INR',
  'PSA',
  'pH',
  'Hématocrite',
  'Globules blancs',
  'Glycémie à jeun',
  'Créatinine',
  'Protéine C réactive',
  'Cholestérol LDL',
  'Numération plaquettaire',
  'Leukozyten',
  'Hämoglobin',
  'Thrombozyten',
  'Gesamteiweiß',
  'Harnsäure',
  'Eisen',
  'Kreatinin i. S.',
  'Glukose nüchtern',
  'Hematíes',
  'Glucosa',
  'Ácido úrico',
  'Colesterol total',
  'Triglicéridos',
  'Fosfatasa alcalina',
  'Índice aterogénico',
  'Linfocitos',
  'Emoglobina',
  'Globuli rossi',
  'Azotemia',
  'Sideremia',
  'Velocità di eritrosedimentazione',
  'Hemácias',
  'Glicose',
  'Ácido fólico',
  'Creatinina',
  'Leucócitos',
  'Hemoglobine',
  'Leukocyten',
  'Trombocyten',
  'Ureum',
  'γ-GT',
  'HDL-C',
  'IgE',
  'T3',
  'K',
  'Na+',
]
const units = [
  'mg/dL',
  'g/dL',
  'g/L',
  'mmol/L',
  'µmol/L',
  'μg/dL',
  'µg/L',
  'ng/mL',
  'pg/mL',
  'nmol/L',
  'pmol/L',
  'mIU/L',
  'µIU/mL',
  'IU/L',
  'U/L',
  'mEq/L',
  '%',
  'fL',
  'pg',
  'x10E3/uL',
  'x10³/µL',
  '10^3/uL',
  '10*9/L',
  '10⁹/L',
  'K/uL',
  'M/µL',
  '/mm³',
  'cells/µL',
  'mL/min/1.73m²',
  'mL/min/1.73',
  'mm/h',
  'mm/hr',
  'sec',
  'ratio',
  'g/24h',
  'mg/l',
  'UI/L',
  'kU/L',
  'mosm/kg',
  'Tsd/µl',
  'T/L',
  'G/L',
  'mg/g creat',
  '°C',
  'mmol/mol',
  'Lakhs/cumm',
  'mill/mm3',
  'ug/mL',
  'mcg/dL',
  'L/L',
  'ng/dl',
  '/HPF',
]
const fonts = [
  'Liberation Sans',
  'Liberation Serif',
  'Liberation Mono',
  'Liberation Sans Narrow',
  'DejaVu Sans',
  'DejaVu Serif',
  'DejaVu Sans Mono',
  'DejaVu Sans Condensed',
]

/** A page of rows as laboratories print them, and where each of their fields stands. */
export async function drawTable(seed: number, dpi: number, damage: Damage): Promise<DrawnTable> {
  const random = createRandom(seed).next
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const scale = dpi / 72
  const canvas = createCanvas(Math.round(612 * scale), Math.round(792 * scale))
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  const font = pick(fonts)
  const size = 7.5 + random() * 3.5
  const rowHeight = size * (1.3 + random() * 0.7)
  const hasRules = random() < 0.4
  const hasStripes = random() < 0.3
  const isBoldValue = random() < 0.4
  const rows = Array.from({ length: Math.floor(680 / rowHeight) }, () => makeRow(random))
  context.font = `bold ${size}px "${font}"`
  const columns = makeColumns(random, (kind) =>
    Math.max(...rows.map((row) => context.measureText(row[kind]).width)),
  )
  const angle = damage === 'turn' ? (random() - 0.5) * 0.035 : 0
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate(angle)
  context.translate(-canvas.width / 2, -canvas.height / 2)
  context.scale(scale, scale)
  const fields: DrawnField[] = []
  const ink = damage === 'pale' ? '#9a9a9a' : pick(['#000000', '#000000', '#333333', '#1a2a55'])
  for (const [row, texts] of rows.entries()) {
    const y = 60 + row * rowHeight
    if (hasStripes && row % 2 === 0) {
      context.fillStyle = '#e8eef5'
      context.fillRect(36, y - rowHeight * 0.72, 540, rowHeight)
    }
    if (hasRules) {
      context.fillStyle = '#777777'
      context.fillRect(36, y + rowHeight * 0.28, 540, 0.6)
    }
    for (const kind of ['name', 'value', 'flag', 'unit', 'range'] as const) {
      const text = texts[kind]
      if (!text) continue
      const isBold = kind === 'value' && isBoldValue
      context.font = `${isBold ? 'bold ' : ''}${size}px "${font}"`
      context.fillStyle =
        kind === 'value' && texts.flag && damage !== 'pale' ? pick([ink, '#cc0000']) : ink
      fields.push(drawField(context, { kind, text, x: columns[kind], y, size, scale }))
    }
  }
  const raster = await damageRaster(
    { width: canvas.width, height: canvas.height, data: toRgb(canvas.data()) },
    damage,
    random,
  )
  const centre = { x: canvas.width / 2, y: canvas.height / 2 }
  return {
    raster,
    fields: fields.map((field) => ({ ...field, box: turnBox(field.box, angle, centre) })),
  }
}

/** Where columns begin: with little or much room between them. */
function makeColumns(
  random: () => number,
  widest: (kind: DrawnField['kind']) => number,
): Record<DrawnField['kind'], number> {
  const order: DrawnField['kind'][] =
    random() < 0.5
      ? ['name', 'value', 'flag', 'unit', 'range']
      : ['name', 'value', 'unit', 'range', 'flag']
  const columns = { name: 0, value: 0, flag: 0, unit: 0, range: 0 }
  const total = order.reduce((sum, kind) => sum + widest(kind), 0)
  const gap = Math.max(7, Math.min(45, ((536 - total) / 4) * (0.5 + random() * 0.5)))
  let x = 38
  for (const kind of order) {
    columns[kind] = x
    x += widest(kind) + gap
  }
  return columns
}

function makeRow(random: () => number): Record<DrawnField['kind'], string> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const mark = random() < 0.3 ? ',' : '.'
  const number = () => {
    const decimals = pick([0, 0, 1, 1, 2, 2, 3])
    const magnitude = pick([1, 10, 10, 100, 1000, 10000])
    return (random() * magnitude).toFixed(decimals).replace('.', mark)
  }
  const value = pick([
    number,
    number,
    number,
    number,
    number,
    number,
    () => `<${number()}`,
    () => `> ${number()}`,
    () => `${Math.floor(random() * 10)}`,
    () =>
      pick([
        'Negative',
        'NEGATIVE',
        'Non-reactive',
        'Trace',
        'positivo',
        'Négatif',
        '1+',
        '1:80',
        'Clear',
      ]),
  ])()
  const range = pick([
    () => `${number()}-${number()}`,
    () => `${number()}-${number()}`,
    () => `${number()} - ${number()}`,
    () => `${number()} – ${number()}`,
    () => `(${number()}-${number()})`,
    () => `[${number()} - ${number()}]`,
    () => `<${number()}`,
    () => `< ${number()}`,
    () => `>=${number()}`,
    () => `≤ ${number()}`,
    () => `> OR = ${number()}`,
    () => pick(['Negative', 'Not Estab.', 'Non Reactive', '']),
    () => `Up to ${number()}`,
  ])()
  return {
    name: pick(names),
    value,
    flag:
      random() < 0.35
        ? pick(['H', 'L', '*', 'H', 'L', 'High', 'Low', 'A', 'HH', '**', '+', 'C'])
        : '',
    unit: value.match(/\d/) && random() < 0.93 ? pick(units) : '',
    range,
  }
}

function drawField(
  context: SKRSContext2D,
  field: {
    kind: DrawnField['kind']
    text: string
    x: number
    y: number
    size: number
    scale: number
  },
): DrawnField {
  context.fillText(field.text, field.x, field.y)
  const { width } = context.measureText(field.text)
  return {
    kind: field.kind,
    text: field.text,
    box: {
      x: field.x * field.scale,
      y: (field.y - field.size * 0.8) * field.scale,
      width: width * field.scale,
      height: field.size * field.scale,
    },
  }
}

/** The box around a box that turned with its page; a level page keeps its own. */
function turnBox(box: Box, angle: number, centre: { x: number; y: number }): Box {
  const x = box.x + box.width / 2 - centre.x
  const y = box.y + box.height / 2 - centre.y
  const turnedX = centre.x + x * Math.cos(angle) - y * Math.sin(angle)
  const turnedY = centre.y + x * Math.sin(angle) + y * Math.cos(angle)
  return { ...box, x: turnedX - box.width / 2, y: turnedY - box.height / 2 }
}

function toRgb(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3)
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    rgb[to++] = rgba[from]!
    rgb[to++] = rgba[from + 1]!
    rgb[to++] = rgba[from + 2]!
  }
  return rgb
}

async function damageRaster(raster: Raster, damage: Damage, random: () => number): Promise<Raster> {
  const image = sharp(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
  })
  if (damage === 'none') return raster
  if (damage === 'blur') return toRaster(image.blur(0.6 + random() * 0.5))
  if (damage === 'jpeg') return toRaster(sharp(await image.jpeg({ quality: 40 }).toBuffer()))
  const amplitude = damage === 'noise' ? 45 : 12
  const noisy = Uint8Array.from(raster.data)
  for (let pixel = 0; pixel < noisy.length; pixel += 3) {
    const shift = (random() + random() + random() - 1.5) * amplitude
    for (let channel = 0; channel < 3; channel++) {
      noisy[pixel + channel] = Math.min(255, Math.max(0, noisy[pixel + channel]! + shift))
    }
  }
  return { ...raster, data: noisy }
}

async function toRaster(image: Sharp): Promise<Raster> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}
