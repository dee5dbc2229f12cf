"use strict";
const kithData = JSON.parse(document.getElementById("kith-data").textContent);
document.getElementById("views").textContent = `${kithData.run.ranks} ranks`;
