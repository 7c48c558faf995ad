import { basename } from 'node:path'

/** A node of a flame graph: what ran, and for how long with all that it called. */
export interface Frame {
  name: string
  milliseconds: number
  children: Frame[]
}

/** Of a `.cpuprofile`, as V8 writes it. */
export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

/** Time in which a thread waits is no processor time. */
const WAITING = new Set(['(idle)'])
const WIDTH = 1200
const ROW = 17
const LETTER = 6.6
/** Narrower frames are not drawn: their parent shows their time. */
const LEAST_PIXELS = 1.2

/**
 * Joins the samples of a profile by their stacks.
 * @param milliseconds processor time of the thread, to which the samples are scaled
 */
export function readProfile(profile: CpuProfile, milliseconds: number): Frame[] {
  const own = new Map<number, number>()
  for (const [index, id] of profile.samples.entries()) {
    own.set(id, (own.get(id) ?? 0) + Math.max(0, profile.timeDeltas[index] ?? 0))
  }
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const toFrames = (ids: readonly number[]): Frame[] => {
    const frames = new Map<string, Frame>()
    for (const id of ids) {
      const node = nodes.get(id)
      if (node === undefined || WAITING.has(node.callFrame.functionName)) continue
      const name = nameOf(node.callFrame)
      const children = toFrames(node.children ?? [])
      const time = (own.get(id) ?? 0) + sum(children)
      const same = frames.get(name)
      if (same === undefined) frames.set(name, { name, milliseconds: time, children })
      else {
        same.milliseconds += time
        same.children = join([...same.children, ...children])
      }
    }
    return [...frames.values()]
  }
  const frames = toFrames(profile.nodes[0]?.children ?? [])
  const scale = milliseconds / sum(frames)
  return frames.map((frame) => scaled(frame, scale))
}

const sum = (frames: readonly Frame[]): number =>
  frames.reduce((total, frame) => total + frame.milliseconds, 0)

function join(frames: readonly Frame[]): Frame[] {
  const joined = new Map<string, Frame>()
  for (const frame of frames) {
    const same = joined.get(frame.name)
    if (same === undefined) joined.set(frame.name, { ...frame })
    else {
      same.milliseconds += frame.milliseconds
      same.children = join([...same.children, ...frame.children])
    }
  }
  return [...joined.values()]
}

const scaled = ({ name, milliseconds, children }: Frame, scale: number): Frame => ({
  ...{ name, milliseconds: milliseconds * scale },
  children: children.map((child) => scaled(child, scale)),
})

/** `findUser packages/accounts/src/users/users.repository.ts:12`: no folder of the machine. */
function nameOf({
  functionName,
  url,
  lineNumber,
}: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName || '(anonymous)'
  const path = /(?:node_modules\/(?!.*node_modules\/)|(?=packages\/))([^?]*)$/.exec(url)?.[1] ?? url
  return `${functionName || basename(path)} ${path}:${lineNumber + 1}`
}

function colorOf(name: string): string {
  if (name.startsWith('PostgreSQL')) return '#9bb7d4'
  if (name.startsWith('server, other')) return '#b9a5d3'
  if (/ packages\//.test(name)) return '#f2a65a'
  if (/ node:/.test(name) || name.startsWith('(')) return '#cfcfcf'
  return '#f5dd8e'
}

/**
 * Draws frames, the callers below the called ones; titles appear on hover.
 * @param fullMilliseconds what the whole width means, so that two drawings can be compared
 */
export function drawFlames(title: string, root: Frame, fullMilliseconds: number): string {
  const pixels = WIDTH / fullMilliseconds
  const depth = depthOf(root, pixels)
  const height = (depth + 3) * ROW
  const lines: string[] = []
  const draw = (frame: Frame, left: number, level: number): void => {
    const width = frame.milliseconds * pixels
    if (width < LEAST_PIXELS) return
    const top = height - (level + 2) * ROW
    lines.push(box(frame, root.milliseconds, { left, top, width }))
    let next = left
    for (const child of frame.children.toSorted((a, b) => b.milliseconds - a.milliseconds)) {
      draw(child, next, level + 1)
      next += child.milliseconds * pixels
    }
  }
  draw(root, 0, 0)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" data-milliseconds="${root.milliseconds.toFixed(2)}" font-family="monospace" font-size="11">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" fill="#fff"/><text x="4" y="13" font-size="13">${escapeXml(title)}</text>
${lines.join('\n')}
</svg>
`
}

function depthOf({ milliseconds, children }: Frame, pixels: number): number {
  if (milliseconds * pixels < LEAST_PIXELS) return 0
  return 1 + Math.max(0, ...children.map((child) => depthOf(child, pixels)))
}

function box(
  { name, milliseconds }: Frame,
  all: number,
  { left, top, width }: { left: number; top: number; width: number },
): string {
  const share = ((milliseconds / all) * 100).toFixed(1)
  const title = `${name}: ${milliseconds.toFixed(3)} ms, ${share} %`
  const letters = Math.floor((width - 4) / LETTER)
  const text =
    letters < 3
      ? ''
      : `<text x="${(left + 2).toFixed(1)}" y="${top + 12}">${escapeXml(name.slice(0, letters))}</text>`
  return `<g><title>${escapeXml(title)}</title><rect x="${left.toFixed(1)}" y="${top}" width="${Math.max(0.5, width - 0.5).toFixed(1)}" height="16" fill="${colorOf(name)}"/>${text}</g>`
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
