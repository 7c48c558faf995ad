import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Settings that the embedded engine only reads from a file: caches are capped at sizes that suit
 * one small machine (the engine's own cap is 5 GB each), and the two pools run merges without using
 * the whole machine. The system log tables are off in the embedded engine anyway.
 */
const ENGINE_CONFIG = `<clickhouse>
  <mark_cache_size>67108864</mark_cache_size>
  <index_mark_cache_size>16777216</index_mark_cache_size>
  <primary_index_cache_size>67108864</primary_index_cache_size>
  <compiled_expression_cache_size>16777216</compiled_expression_cache_size>
  <max_server_memory_usage_to_ram_ratio>0.5</max_server_memory_usage_to_ram_ratio>
  <background_pool_size>2</background_pool_size>
  <background_schedule_pool_size>2</background_schedule_pool_size>
</clickhouse>
`

/** Writes the configuration next to the data and returns its path. */
export async function writeEngineConfig(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'salus-engine.xml')
  await writeFile(path, ENGINE_CONFIG)
  return path
}
