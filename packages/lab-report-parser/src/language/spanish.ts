import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in Spanish. */
export const SPANISH: LanguageWords = {
  columns: {
    test: list(`
      prueba; pruebas; analisis; determinacion; determinaciones; parametro; parametros; examen; examenes;
      analito; estudio; estudios; descripcion; ensayo; magnitud; componente; nombre`),
    result: list(`
      resultado; resultados; valor; valores; valor obtenido; valor actual; resultado actual; dentro de
      rango; fuera de rango; dentro de limites; fuera de limites`),
    unit: list(`
      unidad; unidades; uds; uds.; unid.; unid; und; u. medida; unidad de medida`),
    reference: list(`
      referencia; valores de referencia; valor de referencia; rango de referencia; rangos de referencia;
      intervalo de referencia; intervalos de referencia; v. referencia; v.referencia; v.r.; v. ref.;
      valores normales; valor normal; rango normal; rango; limites de referencia; limites; val.
      referencia; valores ref.; intervalo biologico de referencia; ref.; intervalo; normales; vr`),
    flag: list(`
      alerta; estado; indicador; marca; interpretacion; anormal; aviso; nota; observacion`),
    method: list(`metodo; tecnica; metodologia; muestra; tipo de muestra; codigo`),
    previous: list(`
      anterior; resultado anterior; resultados anteriores; previo; resultado previo; historico; valor
      anterior; antecedente; anteriores; ultimo resultado`),
  },
  header: {
    date: list(`fecha`),
    patient: list(`
      paciente; nombre; nombre del paciente; nombre y apellidos; apellidos y nombre; nombre completo;
      nombre paciente; apellidos, nombre; apellido y nombre; datos del paciente; sr/a; sr(a); nombre y
      apellido`),
    firstName: list(`nombres; primer nombre`),
    lastName: list(`apellidos; apellido`),
    dateOfBirth: list(`
      fecha de nacimiento; fecha nacimiento; f. nacimiento; f.nacimiento; f. nac.; f.nac.; f. nac; fec.
      nac.; nacimiento; fecha nac.; fecha nac; fecha de nac.; f/nac; f.n.; nacido; nacida; f. de
      nacimiento`),
    age: list(`edad`),
    gender: list(`sexo; genero`),
    ageAndGender: list(`
      edad/sexo; edad / sexo; sexo/edad; sexo / edad; edad y sexo; sexo y edad; edad/genero; genero/edad`),
    laboratory: list(`
      laboratorio; centro; centro analitico; realizado en; nombre del laboratorio`),
    collected: list(`
      fecha de toma; toma de muestra; fecha toma; fecha de extraccion; fecha extraccion; extraccion; fecha
      de muestra; fecha muestra; fecha de toma de muestra; fecha toma de muestra; f. extraccion; f. toma;
      recogida; fecha de recogida; fecha de recoleccion; fecha recoleccion; fecha/hora toma; hora de toma;
      toma; recoleccion; fecha y hora de toma; f.extraccion; muestra tomada; toma muestra; fecha
      obtencion; fecha de obtencion`),
    received: list(`
      recibido; recepcion; fecha de recepcion; fecha recepcion; f. recepcion; fecha de solicitud; fecha
      solicitud; registro; fecha de registro; fecha ingreso; fecha de ingreso; ingreso; fecha de peticion;
      fecha peticion; f. peticion; impreso; impresion; fecha de impresion; fecha impresion; fecha orden;
      fecha de orden; entrada; fecha de entrada; f. entrada; f. solicitud; fecha recibido`),
    reported: list(`
      fecha de informe; fecha informe; f. informe; fecha del informe; informado; fecha de validacion;
      fecha validacion; fecha de resultado; fecha de resultados; fecha resultado; fecha resultados;
      emision; fecha de emision; fecha emision; validado; fecha de reporte; fecha reporte; reportado;
      fecha de entrega; entrega; fecha entrega; salida; fecha de salida; reporte; fecha liberacion; fecha
      de liberacion; liberacion; fecha salida; informe; f. validacion; fecha final`),
    specimenNumber: list(`
      muestra; n muestra; no muestra; numero de muestra; nº muestra; n.º muestra; no. muestra; peticion; n
      peticion; nº peticion; no peticion; numero de peticion; n de peticion; nº de peticion; solicitud;
      no. solicitud; nº solicitud; numero de solicitud; orden; no. orden; no orden; nº orden; n° orden; n°
      de orden; nº de orden; numero de orden; folio; codigo de muestra; codigo de barras; protocolo; n°
      protocolo; nº protocolo; nro. protocolo; nro protocolo; nro. orden; nro orden; nº registro; nº
      informe; no. informe; informe nº; peticion nº; referencia lab; n° muestra; n° peticion; n°
      solicitud; nº analisis; nº de muestra; no. de orden; no. de muestra; no. de solicitud; id muestra;
      id. muestra; no. folio`),
    patientNumber: list(`
      historia clinica; nhc; n historia; dni; documento; identificacion; cip; historia; nº historia;
      expediente; cedula; rut; curp; direccion; telefono; correo; domicilio; nif; nuss; cama; servicio;
      procedencia; origen; destino; sociedad; id paciente; pagina; convenio; empresa; eps; sede;
      diagnostico; observaciones; poliza; mutua; seguro`),
    physician: list(`
      medico; doctor; solicitante; medico solicitante; dr; dra; dr.; dr(a); facultativo; medico tratante;
      solicitado por; doctor(a); doctora; validado por; director tecnico; medico remitente; dr/a;
      responsable; firmado`),
  },
  normal: list(`normal; en rango; dentro de rango`),
  high: list(`alto; alta; elevado; elevada; aumentado; sobre`),
  low: list(`bajo; baja; disminuido; disminuida`),
  abnormal: list(`anormal; fuera de rango; alterado; patologico`),
  critical: list(`critico; critica; panico; muy alto; muy bajo; valor critico`),
  positive: list(`
      positivo; positiva; reactivo; detectado; presente; presencia; se observa; se observan`),
  negative: list(`
      negativo; negativa; no reactivo; no detectado; ausente; ausencia; no se observan; no se observa;
      ausentes; no contiene; indetectable`),
  male: list(`hombre; masculino; varon; m; h; v; hombres; varones; masc; ninos`),
  female: list(`mujer; femenino; f; mujeres; hembra; fem; femenina`),
  sections: list(`
      hematologia; bioquimica; quimica clinica; hemograma; hemograma completo; biometria hematica; perfil
      lipidico; perfil hepatico; perfil tiroideo; funcion renal; hormonas; inmunologia; serologia; orina;
      examen general de orina; coagulacion; microbiologia; sedimento; formula leucocitaria; serie roja;
      serie blanca; serie plaquetaria; quimica sanguinea; marcadores tumorales; metabolismo del hierro;
      electrolitos; iones; endocrinologia; vitaminas; inmunoquimica; lipidos; uroanalisis`),
}
