import { ImportFileError } from '../../../files/import-file-error.ts'
import type { FileFault } from '../file-faults.ts'
import type { SummaryImport } from '../summary-import.ts'
import type { WorkoutElement } from '../workouts/workout-element.ts'
import { type RoutePoint, readGpxPoints } from './gpx-points.ts'
import { type RouteLine, toRouteLine } from './route-line.ts'

const TYPE = 'WorkoutRoute'
const RESOURCE = 'workout_stream'

/** Reads the routes of a workout as one line; returns undefined without a readable one. */
export async function readRoutes(
  context: SummaryImport,
  { routes }: WorkoutElement,
): Promise<RouteLine | undefined> {
  const points: RoutePoint[] = []
  for (const path of routes) {
    const counts = context.importCounts.count(TYPE, RESOURCE)
    // An export.xml alone has no files beside it.
    if (context.files === undefined) {
      counts.not_supported++
      continue
    }
    const found = await readRoute(context, path)
    if (typeof found === 'string') await quarantineRoute(context, path, found)
    else {
      for (const point of found) points.push(point)
      counts.merged++
    }
  }
  return toRouteLine(points)
}

async function readRoute(
  { files }: SummaryImport,
  path: string,
): Promise<RoutePoint[] | FileFault> {
  const file = files?.find(path)
  if (file === undefined) return 'missing_file'
  try {
    const points = await readGpxPoints(file.read())
    return points.length === 0 ? 'unreadable_file' : points
  } catch (error) {
    if (error instanceof ImportFileError) return 'unreadable_file'
    throw error
  }
}

async function quarantineRoute(
  { importCounts, store }: SummaryImport,
  path: string,
  reason: FileFault,
): Promise<void> {
  importCounts.countQuarantined(TYPE, RESOURCE, reason)
  await store({ quarantined: [{ resource: RESOURCE, reason, item: { path } }] })
}
