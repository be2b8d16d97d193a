package com.example.billing

import org.springframework.boot.autoconfigure.SpringBootApplication

@SpringBootApplication
class BillingApplication
