/**
 * The languages of three letters in the IANA Language Subtag Registry (as axe-core 4.14.1 has it): a bit for each code from `aaa` to `zzz`, six
 * in each letter of base64. CLDR has English names for some 500 of them, which is no measure of what is a language.
 */
export const THREE_LETTERS: string =
  '/7+/f/f//dvf/39f7/g86vbpzh////8O/cD///OgoU6X/7/+////7v/////////Hl////7I9UF59////f//v//////vUL48Puuf5' +
  'KOAE+7f5/JOEH/13/////////v/////+v////+/+////////5/3/////9//////9//////v//8//3/7///9////f///v//+/////' +
  '/vv///9////7///73///f///////7/79v6u1/gL/OYPCNBCkggAKIgAB3f9P+S1ComvZLBHv3ufo6qq+cDjs/s/3+f+6HKYQAAg9' +
  '//3////+7Hzj4/v/gIEADaABAAQAAMACAABJhAv/vv97f3ogAEAmsZiD+95EAAAA+7Z7ZKebz3//v/P5KIIwYQCLAA/j5vprmXrt' +
  't/fAAEAAAAAD7lvqSbaAdGveL//+/gAAAIAwasAAAA0o5IpoUACAAAAIiJIAAAYIAAAACAAAIiAACAGgGAAAoAABFCAAAAqrtAgm' +
  'rCTKr6v9R7PAAAEAAgAAAAAAIOicgLvqmYQZ5RAAgAJBAAAAIAAAAECAAgAiAAANf9WcAEAAAAAgAAAAAAAEAAIgAAAAQAAAAAjB' +
  'FaAAAAAAIAQgZRAgABCBCgAAEIxhAgAAAAACAMCvwAgQIAAAAAfczcgAAQCIAAAAAAAAAAAAAAAA///////788FFA//75Pf4p8AI' +
  'BE2jZaKk2cD7n/vAKxIJgHCBx8kq2xzP/v+2n////iAQAICESDz6v/Ch8iICACD/v/9rF9gv7MWwAAAE3p5A4CEAD//+fwAYIIEA' +
  'AAABCCk4gAAAAAAACAIAIBAtf6UwAgAAiSQgNgAGD//f/m84oPn7dsAAiAAAAAKgrW1BFCAAIIpH/7/8oJAQoAIAAAAACAAAMAAA' +
  'AACFQDbnEigRBAPiAeAAAAAzCgIkoeIhAgQIAARAChGIAJs3dwrsuIiWcJrXzBAABKACCAAAAAoiaZJruuXB4unfAAgAEAABAAKi' +
  'AIBAAIACAQBiEB/X75wjuWgAADAggAQEu0WAAAAASCIAACAID7mpyCABAIALaAIACA8JRjJLQIBSAGIgABBAAAQDAAFgABAAAAAA' +
  'Dxv3qEAQAACAAAAAAAiAAAgAAAD/68e////////+//9/////////////+//f///bv////3//////////////v//7/zv/////////' +
  '/3/f/////////3//v//////////3/////////////96/u/v/PRmgNP/gD////gAQAMO++GBnTg//Pv4iRAz53ni//+pP//z/T3ip' +
  '7///4gGAQAAEAqr5Ufufdojhigvf/+4CwKCLGjoAAgAIIEAABFAB3u2/f3/////////3/////v///////////+////v+///+////' +
  '9/+9///f////+/6//+///+/////f//f///////77//337///////////f////v//////P/+//v//+X3/f//+7/5AQSD/////6/f/' +
  '/+//R3nn/+//ar+z///////3/7//vvDlimAj6Qu69WX/v//Gutr////8BCgA6opDpq+yR///+0Kho6AgRAAulggQoIIAgGAAAAAA' +
  'AIoGoCCAAABgiAQAGIBJj7/m1mCpYOq337K53sEgRgIAqEIAAAAqwZ/6CHGTYvvvyIwABAAAAAkAAAAAAFAIAIACAA/7v/2+ffP/' +
  '/UIoIYYN/7peIEAAkrQo5P+3j/33/AAAQOMHeD/d/7/f77/v//8/r7fiL/4IgIAj/v/vu5/6oGH3r+69vAAAAMKOQgACAACAwpgk' +
  'EACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPe95+p3yLqQ' +
  'gwKEX+iAAQAAAAAPf//9AMQABAAAEAAADK3HCAAAAIgkaACAQAzBxYAKAIDBiBIAAAAP+///SFUI/htKAAEEAAAAAAIoQEC8AghC' +
  'CIb6OYwAAACAOkAEAACAAEKABAAA/fv//////Pt7873/9f///tICCI+/97/v///f+//+j96P/v/+/3fv9/3/2//7/79+/er/9oFu' +
  '+Tvvv////99///rq+vf6ChhGf//5qPmo8L5jvoVJr+9+//////+/u///v2/6//wCGUD/x//Pb3/7//v+C3yo3j3/ff//7///7/7/' +
  '/3/77+u/9/QB/aP/////+f////+//fv+Yvju/x/buvO+aJ1X3gV4BAAMQCAkEiAAAAIrYCAAACAAIAAMkGAKABAAAAAkACAACDsa' +
  '67LwKvKPaCarUlACQAACABAAAAA7/9f4GhKCJAUgAAxIAkQACAAAAAAAAIAAAAABCAj99skAgAAAAAAAAAADAbQAAAAAAABQAAAA' +
  'A2FDQACAAID/GEAASA//nvwApAAAAFAAAAAAAAACAAjAAJQEAACAAADBAAAAAIAAAAAAAAAAAAAAAAD////zfn2ICAAASYBis496' +
  'AIAADCggqgiAIG/8XqAgAA0BBKqu6b77jjMeq8Kv6uYogAAAAAAANO/b+CoGwRagCNEcXYAAAAwAJCIAAAjAjECAAAAPr//r6z0O' +
  'ax5eqAqgJSGXggAAANacSi4CFwwJVkkAAED/9//+ocov9///T7vjMq9CP///+AABA2ozaPnf7L73/70l9YAiGIC6clIQChQMBwEI' +
  'BCQA////9n+AYBFUAmiAgKjUfIAAAAgJlqJAQICH/f3AAAAIO+WLKnki+7/xds2qBCvDGwy8AQAAADIviKMh9goARAr+/dvgAAQI' +
  'IU2iCGAiAABIQIgAD/+//qBAaJEAAAAQAAgwwAAAAADBDEAUIQDMA8QkAAAA0ydcYhMqj////miAgCEK4D////CAAAIIHICAOEgC' +
  'h25oEMAIAAAAgAAAAAAARCRQAgEAAA';
