/** Colors of a chart. A canvas cannot read CSS variables, so they are read from an element. */
export interface PlotColors {
  line: string
  band: string
  target: string
  grid: string
  text: string
  mark: string
  sources: string[]
}

const SOURCE_COLORS = 6

export function readColors(element: HTMLElement): PlotColors {
  const probe = element.ownerDocument.createElement('span')
  element.append(probe)
  const read = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colors = {
    line: read('--chart-line'),
    band: read('--chart-band'),
    target: read('--chart-target'),
    grid: read('--chart-grid'),
    text: read('--page-quiet'),
    mark: read('--chart-mark'),
    sources: Array.from({ length: SOURCE_COLORS }, (_, index) => read(`--chart-source-${index}`)),
  }
  probe.remove()
  return colors
}
