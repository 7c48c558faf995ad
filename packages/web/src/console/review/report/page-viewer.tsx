import { ActionIcon } from '@mantine/core'
import { useElementSize, useIntersection } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { IconZoomIn, IconZoomOut } from '../../components/icons.tsx'
import { Waiting } from '../../components/waiting.tsx'
import type { FieldEvidence } from './report-query.ts'
import { pagePictureQuery } from './report-query.ts'

/** A field of the report and its owner: a result, or a header field. */
export interface PageBox {
  owner: string
  field: FieldEvidence
  isUnsure: boolean
}

interface ViewerProps {
  jobId: string
  pages: readonly { number: number; width: number; height: number }[]
  boxes: readonly PageBox[]
  /** Owner of the highlighted boxes. */
  pointed: string | null
  /** Owner of the boxes that are scrolled into view. */
  selected: string | null
  onPoint: (owner: string | null) => void
  onSelect: (owner: string) => void
}

const ZOOMS = [1, 1.5, 2, 3]

/** Shows the pages of a report as pictures, with a box around everything that was parsed. */
export function PageViewer({ jobId, pages, boxes, ...shown }: ViewerProps): ReactNode {
  const [zoom, setZoom] = useState(1)
  const { ref: measure, width } = useElementSize()
  const scroller = useRef<HTMLElement>(null)
  useSight(scroller, shown.selected)
  const step = (by: number) => setZoom(ZOOMS[ZOOMS.indexOf(zoom) + by] ?? zoom)
  return (
    <div className="report-viewer">
      <div className="report-viewer-bar">
        <span className="quiet">
          {pages.length === 1 ? '1 page' : `${pages.length} pages`}, as uploaded
        </span>
        <ActionIcon
          variant="subtle"
          size={36}
          aria-label="Zoom out"
          disabled={zoom === ZOOMS[0]}
          onClick={() => step(-1)}
        >
          <IconZoomOut size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          size={36}
          aria-label="Zoom in"
          disabled={zoom === ZOOMS.at(-1)}
          onClick={() => step(1)}
        >
          <IconZoomIn size={18} aria-hidden />
        </ActionIcon>
      </div>
      <section
        ref={scroller}
        className="report-pages"
        aria-label="Pages of the report"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keyboard
        tabIndex={0}
      >
        <div ref={measure} className="report-pages-inside">
          {pages.map((page) => (
            <PagePicture
              key={page.number}
              jobId={jobId}
              page={page}
              width={width * zoom}
              boxes={boxes.filter(({ field }) => field.page === page.number)}
              {...shown}
            />
          ))}
        </div>
      </section>
    </div>
  )
}

/** Scrolls to the boxes of the selected owner, unless they are visible. */
function useSight(scroller: React.RefObject<HTMLElement | null>, selected: string | null): void {
  useEffect(() => {
    const frame = scroller.current
    if (frame === null || selected === null) return
    const box = [...frame.querySelectorAll<SVGElement>('[data-owner]')].find(
      ({ dataset }) => dataset.owner === selected,
    )
    if (box === undefined) return
    const [outer, inner] = [frame.getBoundingClientRect(), box.getBoundingClientRect()]
    const isInSight =
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom &&
      inner.left >= outer.left &&
      inner.right <= outer.right
    if (isInSight) return
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    frame.scrollBy({
      top: inner.top - outer.top - outer.height / 3,
      left: inner.left - outer.left - outer.width / 4,
      behavior: isCalm ? 'auto' : 'smooth',
    })
  }, [scroller, selected])
}

/** Widths of pictures: few, so that small changes of the window load nothing. */
const WIDTHS = [600, 900, 1200, 1600, 2200, 3000]

interface PagePictureProps extends Omit<ViewerProps, 'pages'> {
  page: ViewerProps['pages'][number]
  /** In CSS pixels. */
  width: number
}

function PagePicture({ jobId, page, width, boxes, ...shown }: PagePictureProps): ReactNode {
  const environment = useEnvironment()
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    if (entry?.isIntersecting) setNeeded(true)
  }, [entry])
  const needed = width * window.devicePixelRatio
  const pixels = WIDTHS.find((each) => each >= needed) ?? 3000
  const { data, error, refetch } = useQuery({
    ...pagePictureQuery(environment, jobId, page.number, pixels),
    enabled: isNeeded && width > 0,
    placeholderData: keepPreviousData,
  })
  const address = useObjectUrl(data)
  return (
    <div
      ref={ref}
      className="report-page"
      style={{ width, aspectRatio: `${page.width} / ${page.height}` }}
    >
      {error !== null && <Failure error={error} onRetry={() => refetch()} />}
      {error === null && address === undefined && isNeeded && (
        <Waiting label="Rendering the page" lines={8} />
      )}
      {address !== undefined && <img src={address} alt={`Page ${page.number} of the report`} />}
      <Boxes boxes={boxes} {...shown} />
    </div>
  )
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (blob === undefined) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}

/** Margins of boxes in parts of the page; letters touch the edges of the evidence. */
const MARGIN = { x: 0.004, y: 0.0025 }

/** Returns the corners of a field, slightly enlarged. */
function outlineOf({ polygon }: FieldEvidence): string {
  const [left, top] = (['x', 'y'] as const).map(
    (axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length,
  ) as [number, number]
  return polygon
    .map(({ x, y }) => `${x + Math.sign(x - left) * MARGIN.x},${y + Math.sign(y - top) * MARGIN.y}`)
    .join(' ')
}

type BoxesProps = Pick<ViewerProps, 'boxes' | 'pointed' | 'selected' | 'onPoint' | 'onSelect'>

/** Draws boxes over the page, in parts of it. Screen readers read the list beside it. */
function Boxes({ boxes, pointed, selected, onPoint, onSelect }: BoxesProps): ReactNode {
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" className="report-boxes" aria-hidden="true">
      {boxes.map(({ owner, field, isUnsure }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the rows of the list are what a keyboard reaches
        <polygon
          key={field.field}
          data-owner={owner}
          data-unsure={isUnsure || undefined}
          data-pointed={owner === pointed || undefined}
          data-selected={owner === selected || undefined}
          points={outlineOf(field)}
          onPointerEnter={() => onPoint(owner)}
          onPointerLeave={() => onPoint(null)}
          onClick={() => onSelect(owner)}
        />
      ))}
    </svg>
  )
}
