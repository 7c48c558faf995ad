declare module '@lhncbc/ucum-lhc' {
  interface Conversion {
    status: 'succeeded' | 'failed' | 'error'
    toVal: number | null
  }
  interface UcumUtils {
    convertUnitTo(
      from: string,
      value: number,
      to: string,
      options?: { molecularWeight?: number; charge?: number },
    ): Conversion
  }
  const ucum: { UcumLhcUtils: { getInstance(): UcumUtils } }
  export default ucum
}
