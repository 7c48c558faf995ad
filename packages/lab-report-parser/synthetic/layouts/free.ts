import type { PrintedRow } from '../report.ts'
import {
  drawComment,
  drawHeading,
  type Layout,
  sayFlag,
  sayValue,
  valueOptions,
  wordsOf,
} from './layout.ts'

/** Draws name and value on one line, and the reference range on the next. */
export function drawStacked(layout: Layout): void {
  const { painter, random, report } = layout
  const { size } = painter.style
  const valueX = painter.left + (painter.right - painter.left) * random.between(0.42, 0.6)
  const label = random.pick(wordsOf(layout).range.label)
  const isRangeUnderValue = random.chance(0.3)
  for (const section of report.sections) {
    drawHeading(layout, section)
    for (const row of section.rows) {
      painter.need(painter.step * 2.4)
      painter.text(
        row.name,
        painter.left + 6,
        painter.y,
        painter.style.isNameBold ? { cut: 'bold' } : {},
      )
      const value = `${sayValue(layout, row, true)} ${sayFlag(layout, row)}`.trim()
      painter.text(value, valueX, painter.y, valueOptions(layout, row))
      painter.y += size * 1.35
      if (row.range !== null) {
        const x = isRangeUnderValue ? valueX : painter.left + 6
        const unit = random.chance(0.5) && row.unit !== null ? ` ${row.unit}` : ''
        painter.text(`${label} ${row.range}${unit}`, x, painter.y, {
          size: size * 0.9,
          color: '#444444',
        })
        painter.y += size * 1.3
      }
      painter.y += size * (painter.style.lineHeight - 1.1)
      drawComment(layout, row, painter.left + 14, painter.right - painter.left - 30)
    }
  }
}

/** Draws each result as a line of text: `Glucose: 95 mg/dL (70 - 99)`. */
export function drawLines(layout: Layout): void {
  const { painter, random, report } = layout
  const colon = random.pick([':', ' :', ' ='])
  const label = random.pick(['', '', `${random.pick(wordsOf(layout).range.label)} `])
  const isRangeApart = random.chance(0.4)
  for (const section of report.sections) {
    drawHeading(layout, section)
    for (const row of section.rows) {
      painter.need(painter.step * 1.5)
      const flag = sayFlag(layout, row)
      const range =
        row.range === null
          ? ''
          : /^[([]/.test(row.range) && label === ''
            ? row.range
            : `(${label}${row.range.replace(/^[([]|[)\]]$/g, '')})`
      const before = `${row.name}${colon} `
      const value = `${sayValue(layout, row, true)}${flag ? ` ${flag}` : ''}`
      painter.text(before, painter.left + 6, painter.y)
      const x = painter.left + 6 + painter.measure(before)
      painter.text(value, x, painter.y, valueOptions(layout, row))
      const rangeX = isRangeApart
        ? painter.left + (painter.right - painter.left) * 0.66
        : x + painter.measure(`${value}   `, { cut: 'bold' })
      if (range !== '') painter.text(range, rangeX, painter.y)
      painter.y += painter.step
      drawComment(layout, row, painter.left + 14, painter.right - painter.left - 30)
    }
  }
}

/** Draws a page in a monospaced font, with columns aligned by spaces. */
export function drawMono(layout: Layout): void {
  const { painter, random, report, notation } = layout
  const words = wordsOf(layout)
  const hasFlags = notation.flag.kind === 'text' && notation.flag.place === 'column'
  const columns =
    hasFlags && random.chance(0.5)
      ? (['name', 'value', 'flag', 'range', 'unit'] as const)
      : random.pick([
          ['name', 'value', 'flag', 'unit', 'range'],
          ['name', 'value', 'unit', 'range', 'flag'],
        ] as const)
  const say = (column: (typeof columns)[number], row: PrintedRow): string =>
    ({
      name: row.name,
      value: sayValue(layout, row, false),
      unit: painter.style.unitPlace === 'value' ? '' : (row.unit ?? ''),
      range: row.range ?? '',
      flag: sayFlag(layout, row),
    })[column]
  const rows = report.sections.flatMap((section) => section.rows)
  const titles = columns.map((column) => {
    const title = random.pick(words.columns[column])
    return column === 'flag' && !hasFlags ? '' : title
  })
  const widths = columns.map(
    (column, at) =>
      Math.max(titles[at]?.length ?? 0, ...rows.map((row) => say(column, row).length)) + 2,
  )
  const total = widths.reduce((sum, width) => sum + width, 0)
  const size = Math.min(painter.style.size, (painter.right - painter.left) / (total * 0.6))
  const write = (cells: string[], cut: 'regular' | 'bold' = 'regular') => {
    painter.need(size * 2)
    painter.text(
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('')
        .trimEnd(),
      painter.left,
      painter.y,
      { size, cut },
    )
    painter.y += size * 1.25
  }
  write(titles)
  write(['-'.repeat(total - 2)])
  for (const section of report.sections) {
    painter.y += size * 0.6
    write(
      [section.heading.toLocaleUpperCase(report.language)],
      random.chance(0.5) ? 'bold' : 'regular',
    )
    for (const row of section.rows) {
      write(columns.map((column) => say(column, row)))
      if (row.comment !== null) write([`    ${row.comment.slice(0, total)}`])
    }
  }
}

/** Draws a box for each result, in one or two columns. */
export function drawCards(layout: Layout): void {
  const { painter, random, report } = layout
  const { size } = painter.style
  const columns = random.pick([1, 1, 2])
  const gap = 10
  const width = (painter.right - painter.left - gap * (columns - 1)) / columns
  const height = size * 5.6
  const label = random.pick(wordsOf(layout).range.label)
  const hasBar = random.chance(0.5)
  for (const section of report.sections) {
    drawHeading(layout, section)
    for (let at = 0; at < section.rows.length; at += columns) {
      painter.need(height + 8)
      for (const [column, row] of section.rows.slice(at, at + columns).entries()) {
        drawCard(layout, row, painter.left + column * (width + gap), width, height, label, hasBar)
      }
      painter.y += height + 7
    }
  }
}

function drawCard(
  layout: Layout,
  row: PrintedRow,
  x: number,
  width: number,
  height: number,
  label: string,
  hasBar: boolean,
): void {
  const { painter } = layout
  const { size } = painter.style
  const y = painter.y
  painter.frame(x, y, width, height, '#bbbbbb')
  painter.text(row.name, x + 8, y + 6, { cut: 'bold', size: size * 1.05 })
  const value = sayValue(layout, row, false)
  painter.text(value, x + 8, y + size * 2, { size: size * 1.3, ...valueOptions(layout, row) })
  const after = x + 8 + painter.measure(`${value} `, { size: size * 1.3, cut: 'bold' })
  const isUnitInValue =
    painter.style.unitPlace === 'value' ||
    (painter.style.unitPlace === 'range' && row.range === null)
  if (!isUnitInValue && row.unit !== null)
    painter.text(row.unit, after + 2, y + size * 2.25, { size: size * 0.95 })
  const flag = sayFlag(layout, row)
  if (flag !== '')
    painter.text(flag, x, y + 6, {
      align: 'right',
      width: width - 8,
      color: '#b00020',
      cut: 'bold',
    })
  if (row.range !== null)
    painter.text(`${label} ${row.range}`, x + 8, y + size * 4, {
      size: size * 0.92,
      color: '#333333',
    })
  if (hasBar && row.position !== null && width > 300)
    drawBar(layout, row, x + width * 0.55, y + size * 2.6, width * 0.38)
}

/** Draws a scale with its bounds, and a dot at the value. */
export function drawBar(
  { painter }: Layout,
  row: PrintedRow,
  x: number,
  y: number,
  width: number,
): void {
  const from = x + width * 0.25
  const to = x + width * 0.75
  painter.fill(x, y, width, 3, '#d9d9d9')
  painter.fill(from, y, to - from, 3, '#8cc38c')
  const dot = Math.min(x + width - 3, Math.max(x + 3, from + (row.position ?? 0) * (to - from)))
  painter.doc.circle(dot, y + 1.5, 3.2).fill('#333333')
  const size = painter.style.size * 0.7
  if (row.bounds.low !== null)
    painter.text(row.bounds.low, from - 8, y + 5, { size, color: '#666666' })
  if (row.bounds.high !== null)
    painter.text(row.bounds.high, to - 8, y + 5, { size, color: '#666666' })
}

/** Draws name and value, a bar, and the range in words. */
export function drawBars(layout: Layout): void {
  const { painter, random, report } = layout
  const { size } = painter.style
  const width = painter.right - painter.left
  const valueX = painter.left + width * 0.34
  const barX = painter.left + width * 0.52
  const rangeX = painter.left + width * 0.82
  const isTitled = random.chance(0.7)
  const words = wordsOf(layout).columns
  for (const section of report.sections) {
    drawHeading(layout, section)
    if (isTitled) {
      for (const [title, x] of [
        [words.name[0], painter.left],
        [words.value[0], valueX],
        [words.range[0], rangeX],
      ] as const) {
        painter.text(title ?? '', x, painter.y, { size: size * 0.9, cut: 'bold' })
      }
      painter.y += size * 1.6
    }
    for (const row of section.rows) {
      painter.need(painter.step * 1.8)
      const names = painter.wrap(row.name, width * 0.32)
      for (const [at, line] of names.entries())
        painter.text(line, painter.left, painter.y + at * size * 1.1)
      const value = `${sayValue(layout, row, true)} ${sayFlag(layout, row)}`.trim()
      painter.text(value, valueX, painter.y, valueOptions(layout, row))
      if (row.position !== null) drawBar(layout, row, barX, painter.y + 2, width * 0.26)
      if (row.range !== null) painter.text(row.range, rangeX, painter.y, { size: size * 0.95 })
      painter.y += Math.max(painter.step * 1.25, names.length * size * 1.2 + 4)
      drawComment(layout, row, painter.left + 14, width - 30)
    }
  }
}

/** Draws a paragraph for each result: name, result, reference, material and method on lines. */
export function drawBlocks(layout: Layout): void {
  const { painter, random, report } = layout
  const { size } = painter.style
  const words = wordsOf(layout)
  const result = random.pick(words.columns.value)
  const reference = random.pick(words.range.label)
  const order = random.pick(['result-first', 'method-first'])
  for (const section of report.sections) {
    drawHeading(layout, section)
    for (const row of section.rows) {
      painter.need(size * 8)
      const say = (text: string, options = {}) => {
        painter.text(text, painter.left + 10, painter.y, options)
        painter.y += size * 1.4
      }
      painter.text(row.name, painter.left, painter.y, { cut: 'bold', size: size * 1.1 })
      painter.y += size * 1.6
      const method = () => {
        if (row.method === null) return
        say(`${words.labels.sample[0]}: ${section.sample}`, { size: size * 0.85 })
        say(`${words.labels.methodLabel[0]}: ${row.method}`, { size: size * 0.85 })
      }
      if (order === 'method-first') method()
      const flag = sayFlag(layout, row)
      say(
        `${result}: ${sayValue(layout, row, true)}${flag ? ` ${flag}` : ''}`,
        valueOptions(layout, row),
      )
      if (row.range !== null) {
        const unit = random.chance(0.6) && row.unit !== null ? ` ${row.unit}` : ''
        say(`${reference} ${row.range}${unit}`, { size: size * 0.92 })
      }
      if (order === 'result-first') method()
      drawComment(layout, row, painter.left + 10, painter.right - painter.left - 20)
      painter.y += size * 0.7
    }
  }
}

/** Draws dots between the name and the value. */
export function drawLeaders(layout: Layout): void {
  const { painter, random, report } = layout
  const width = painter.right - painter.left
  const valueX = painter.left + width * random.between(0.4, 0.5)
  const rangeX = painter.left + width * random.between(0.72, 0.78)
  const dot = random.pick(['.', '. ', '·'])
  for (const section of report.sections) {
    drawHeading(layout, section)
    for (const row of section.rows) {
      painter.need(painter.step * 1.5)
      const room = valueX - painter.left - painter.measure(`${row.name}   `)
      const dots = dot.repeat(
        Math.max(0, Math.floor((room / painter.measure(dot.repeat(10))) * 10)),
      )
      painter.text(`${row.name} ${dots}`, painter.left, painter.y)
      const flag = sayFlag(layout, row)
      painter.text(
        `${sayValue(layout, row, true)}${flag ? `  ${flag}` : ''}`,
        valueX,
        painter.y,
        valueOptions(layout, row),
      )
      if (row.range !== null) painter.text(row.range, rangeX, painter.y)
      painter.y += painter.step
      drawComment(layout, row, painter.left + 14, width - 30)
    }
  }
}
